import { setImmediate } from "node:timers/promises";
import type { Redact } from "./redact.ts";

/** Shorter ones hold no secret that could be told from a word. */
const SHORTEST = 12;

/** A copy of plain data in which every string is redacted; names of members, and everything else, stay as they are (SEC-6). */
export function redactStrings<T>(value: T, redact: Redact): T {
  return copy(value, redact) as T;
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

function copy(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return value.length < SHORTEST ? value : redact(value);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((item) => copy(item, redact));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member, redact)]));
}
