import { setImmediate } from "node:timers/promises";
import { REDACTED, type Redact } from "./redact.ts";

/** Members whose value is a secret whatever it looks like. */
const SECRET_MEMBER =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-hub-signature(?:-256)?|.*(?:password|passwd|secret|private_?key|api_?key|access_?token|auth_?token)|token)$/i;
const MAXIMUM_DEPTH = 8;

/**
 * A copy of a value for the log, with every string redacted and members that are secret by name left out (SEC-6). Errors become plain
 * objects with name, message, stack and cause; cycles and what lies deeper than 8 levels are cut. Never throws.
 */
export function redactValue(value: unknown, redact: Redact): unknown {
  return copy(value, redact, []);
}

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

/** Characters that are redacted in one turn of the event loop: some 10 ms, and 50 of what is made to take long. */
const TURN_CHARACTERS = 100_000;

/** The same, text by text while others have their turn: of what a model or a tool said there may be megabytes. */
export async function redactStringsInTurns<T>(value: T, redact: Redact): Promise<T> {
  const texts = new Set<string>();
  redactStrings(value, (text) => {
    texts.add(text);
    return text;
  });
  const clean = new Map<string, string>();
  let left = TURN_CHARACTERS;
  for (const text of texts) {
    clean.set(text, redact(text));
    left -= text.length;
    if (left > 0) continue;
    await setImmediate();
    left = TURN_CHARACTERS;
  }
  return redactStrings(value, (text) => clean.get(text) ?? redact(text));
}

function redactMembers(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return value.length < SHORTEST ? value : redact(value);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((item) => redactMembers(item, redact));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactMembers(member, redact)]));
}
