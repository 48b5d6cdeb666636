import type { Span } from "../text-spans.ts";
import { looksRandom } from "./randomness.ts";

/** A key of 16,384 bits has some 200 lines. */
const MOST_LINES = 400;
/** What stands in front of each line of a key in a diff, a comment, a quotation or a string of code. */
const GUTTER = /^(?:[ \t]{0,12}\d{0,7}[ \t]?[ +-]?\|)?[ \t]{0,200}(?:(?:\/\/|[#>*+]|-(?!-)|["'`])[ \t]{0,20}){0,3}/;
/** Of a line of a key, whatever quotes, escapes and signs stand around it. */
const KEY_LINE = /^[A-Za-z0-9+/=]{1,20000}(?=(?:\\[nr]|[\s"'`,;+\\()])*$)/;
const KEY_HEADER = /^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?[^\n]{0,100}$/;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** All of a key in one string: its parts are held together by escapes. */
const ON_ONE_LINE =
  /(?:(?:\\{1,4}[nr]|[ \t"'`+,])*[A-Za-z0-9+/=]{16,20000}){1,600}(?:(?:\\{1,4}[nr]|[ \t"'`+,])*[A-Za-z0-9+/]{0,64}={1,2})?/y;

/**
 * The private key whose first line stands at `at`, with its first and last line; nothing where no key follows: a literal in a test or a
 * manual is none, and hides nothing. Only what a key is made of is part of it, up to the first line that is something else.
 */
export function findKeyBlock(text: string, at: number): Span[] {
  BEGIN.lastIndex = at;
  const begin = BEGIN.exec(text);
  if (begin === null) return [];
  const bodyAt = at + begin[0].length;
  const lineEnd = endOfLine(text, bodyAt);
  const inside = keyOnLine(text, bodyAt, lineEnd);
  if (inside !== undefined) return [{ from: at, to: inside }];
  const body = keyLines(text, lineEnd + 1);
  return body.length === 0 ? [] : [{ from: at, to: bodyAt }, ...body];
}

function keyOnLine(text: string, from: number, lineEnd: number): number | undefined {
  ON_ONE_LINE.lastIndex = from;
  const found = ON_ONE_LINE.exec(text)?.[0];
  if (found === undefined || from + found.length > lineEnd || !isKeyText(found)) return undefined;
  const rest = text.slice(from + found.length, Math.min(lineEnd, from + found.length + 200));
  const end = END.exec(rest);
  // Between key and end is at most what escapes and quotes make.
  return (
    from +
    found.length +
    (end && /^[\s\\nrA-Za-z0-9+/="'`,]{0,90}$/.test(rest.slice(0, end.index)) ? end.index + end[0].length : 0)
  );
}

/** With its last line all that stands before it is the key; without, what is sure to be one. */
function keyLines(text: string, from: number): Span[] {
  const spans: Span[] = [];
  let sure = 0;
  for (let line = 0, at = from; line < MOST_LINES && at < text.length; line += 1) {
    const end = endOfLine(text, at);
    const whole = text.slice(at, Math.min(end, at + 20_000));
    const gutter = GUTTER.exec(whole)?.[0].length ?? 0;
    const content = whole.slice(gutter);
    const start = at + gutter;
    at = end + 1;
    const last = END.exec(content);
    if (last !== null && last.index < 4) {
      const to = start + last.index + last[0].length;
      return spans.length === 0 ? [] : [...spans, { from: start + last.index, to }];
    }
    if (content.trim() === "" || (spans.length === 0 && KEY_HEADER.test(content.trimEnd()))) continue;
    const key = KEY_LINE.exec(content)?.[0];
    if (key === undefined) break;
    spans.push({ from: start, to: start + key.length });
    if (key.length >= 16 && isKeyText(key)) sure = spans.length;
  }
  return spans.slice(0, sure);
}

/** Chance mixes cases and digits; names and words do not. */
function isKeyText(text: string): boolean {
  const sample = text.replace(/\\+[nr]?|[^A-Za-z0-9+/]/g, "").slice(0, 400);
  return sample.length >= 16 && looksRandom(sample);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}
