import { setImmediate } from "node:timers/promises";
import { REDACTED, REDACTED_AT_ONCE, type Redact, redactAside } from "./redact.ts";
import { redactBeginning } from "./redact-beginning.ts";

/** Members whose value is a secret whatever it looks like. */
const SECRET_MEMBER =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-hub-signature(?:-256)?|.*(?:password|passwd|secret|private_?key|api_?key|access_?token|auth_?token)|token)$/i;
const MAXIMUM_DEPTH = 8;

/**
 * A copy of a value for the log, with every string redacted and members that are secret by name left out (SEC-6). Errors become plain
 * objects with name, message, stack and cause; cycles, what lies deeper than 8 levels, and what is beyond `REDACTED_AT_ONCE` characters in
 * all are cut (OPS-8). Never throws.
 */
export function redactValue(value: unknown, redact: Redact): unknown {
  let left = REDACTED_AT_ONCE;
  const shorten = (text: string) => {
    if (left <= 0) return TOO_LONG;
    left -= text.length;
    return text.length > REDACTED_AT_ONCE ? `${redactBeginning(text, redact)} ${TOO_LONG}` : redact(text);
  };
  return copy(value, shorten, []);
}

const TOO_LONG = "[too long]";

function copy(value: unknown, redact: Redact, parents: readonly object[]): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return String(value);
  if (value === null || typeof value !== "object") return value;
  if (parents.includes(value)) return "[circular]";
  if (parents.length >= MAXIMUM_DEPTH) return "[too deep]";
  const within = [...parents, value];
  if (Array.isArray(value)) return value.map((item) => copy(item, redact, within));
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return Object.fromEntries(
    membersOf(value).map(([name, member]) => [
      name,
      SECRET_MEMBER.test(name) && member !== undefined ? REDACTED : copy(member, redact, within),
    ]),
  );
}

function membersOf(value: object): [string, unknown][] {
  const own = Object.keys(value).map((name): [string, unknown] => [name, read(value, name)]);
  if (!(value instanceof Error)) return own;
  const described = ["name", "message", "stack", "cause"].filter((name) => read(value, name) !== undefined);
  return [...described.map((name): [string, unknown] => [name, read(value, name)]), ...own];
}

/** A getter of a foreign object may throw; a log line must not. */
function read(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return "[unreadable]";
  }
}

/** Shorter ones hold no secret that could be told from a word. */
const SHORTEST = 12;

/** A copy of plain data in which every string is redacted; names of members, and everything else, stay as they are (SEC-6). */
export function redactStrings<T>(value: T, redact: Redact): T {
  return redactMembers(value, redact) as T;
}

/**
 * The same, text by text while others have their turn, and long ones in another thread (OPS-8): of what a model or a tool said there may be
 * megabytes.
 */
export async function redactStringsInTurns<T>(value: T, redact: Redact): Promise<T> {
  const texts = new Set<string>();
  redactStrings(value, (text) => {
    texts.add(text);
    return text;
  });
  const clean = new Map<string, string>();
  const turn = redactInTurns(redact);
  for (const text of texts) clean.set(text, await turn(text));
  return redactStrings(value, (text) => clean.get(text) ?? redact(text));
}

/** One text after another as `redactAside` does it. Those that are redacted here share turns of the event loop. */
export function redactInTurns(redact: Redact): (text: string) => Promise<string> {
  let left = REDACTED_AT_ONCE;
  return async (text) => {
    if (text.length > REDACTED_AT_ONCE) return redactAside(text, redact);
    left -= text.length;
    if (left < 0) {
      await setImmediate();
      left = REDACTED_AT_ONCE - text.length;
    }
    return redact(text);
  };
}

function redactMembers(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return value.length < SHORTEST ? value : redact(value);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((item) => redactMembers(item, redact));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactMembers(member, redact)]));
}
