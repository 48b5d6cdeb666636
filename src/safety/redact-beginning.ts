import { REDACTED_AT_ONCE, type Redact } from "./redact.ts";

/** More characters than secrets have whose shape is known; a private key has up to 6,500. */
const LONGEST_SECRET = 8 * 1024;

/**
 * The beginning of a text, redacted on the calling thread, for words that are cut anyway (OPS-8): of a long text only the first
 * `REDACTED_AT_ONCE` characters are looked at. Their end is left out, as a secret that was cut in two is not recognized.
 */
export function redactBeginning(text: string, redact: Redact): string {
  if (text.length <= REDACTED_AT_ONCE) return redact(text);
  return redact(text.slice(0, REDACTED_AT_ONCE)).slice(0, -LONGEST_SECRET);
}
