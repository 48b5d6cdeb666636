import type { Redact } from "./redact.ts";

/** Shorter ones hold no secret that could be told from a word. */
const SHORTEST = 12;

/** A copy of plain data in which every string is redacted; names of members, and everything else, stay as they are (SEC-6). */
export function redactStrings<T>(value: T, redact: Redact): T {
  return copy(value, redact) as T;
}

function copy(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return value.length < SHORTEST ? value : redact(value);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((item) => copy(item, redact));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member, redact)]));
}
