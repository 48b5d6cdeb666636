import type { Span } from "../text-spans.ts";
import { looksRandom } from "./randomness.ts";

const PUTTY_LINES = /Private-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{20,80}\r?\n?){1,200})/y;

/** Adds the lines of a key of PuTTY to `spans`. @returns the place from which this is to be asked again */
export function lookForPuttyKey(text: string, at: number, spans: Span[]): number {
  PUTTY_LINES.lastIndex = at;
  const match = PUTTY_LINES.exec(text);
  if (match) {
    const to = at + match[0].length;
    spans.push({ from: to - match[1]!.length, to });
  }
  return at + 1;
}

/** A key of 16,384 bits has some 200 lines, and a handful of headers. */
const MOST_LINES = 400;
const MOST_HEADERS = 8;
const LONGEST_LINE = 20_000;
/** Characters in front of the last line of a key that belong to the line, and enough to hold that line. */
const BEFORE_END = 4;
const LONGEST_END = 80;
/** What stands in front of each line of a key in a diff, a comment, a quotation or a string of code. */
const GUTTER = /^(?:[ \t]{0,12}\d{0,7}[ \t]?[ +-]?\|)?[ \t]{0,200}(?:(?:\/\/|[#>*+]|-(?!-)|["'`])[ \t]{0,20}){0,3}/;
/** Of a line of a key, whatever quotes, escapes and signs stand around it. The first lookahead keeps it from being tried in n ways. */
const KEY_LINE = /^[A-Za-z0-9+/=]+(?![A-Za-z0-9+/=])(?=(?:\\[nr]|[\s"'`,;+\\()])*$)/;
/** A line of a key that is no last one has 64 or 70 characters, in some programs fewer. */
const WHOLE_LINE = 40;
/** What keys begin with is the same in all of them, and less random than what follows: a sequence of DER, or the name of OpenSSH's form. */
const FIRST_LINE = /^(?:M[A-Z][A-Za-z0-9+/]|b3BlbnNzaC1rZXk)/;
const KEY_HEADER = /^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?[^\n]{0,100}$/;
const DASHES = "-----";
/** The dashes are not part of it: they may also be the first ones of the next. */
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?=-----)/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** All of a key in one string: its parts are held together by escapes and signs. A part begins with what is no sign, so there is one way. */
const ON_ONE_LINE =
  /(?:(?:\\{1,4}[nr]|[ \t"'`+,])*[A-Za-z0-9/=][A-Za-z0-9+/=]{15,}(?![A-Za-z0-9+/=]))+(?:(?:\\{1,4}[nr]|[ \t"'`+,])*(?:[A-Za-z0-9/][A-Za-z0-9+/]{0,63})?={1,2})?/y;

/**
 * Adds the private keys that begin on the line of `at` to `spans`, with their first and last lines; nothing where no key follows: a literal
 * in a test or a manual is none, and hides nothing. Only what a key is made of is part of it, up to the first line that is something else.
 * However many keys begin on a line, the lines below are read once.
 * @returns the place from which this is to be asked again
 */
export function lookForKey(text: string, at: number, spans: Span[]): number {
  const lineEnd = endOfLine(text, at);
  const line = text.slice(at, lineEnd);
  let done = 0;
  let bare: Span | undefined;
  for (const { 0: begin, index } of line.matchAll(BEGIN)) {
    if (index < done) continue;
    const from = at + index;
    const body = index + begin.length + DASHES.length;
    const end = keyOnLine(line, body);
    if (end === undefined) bare ??= { from, to: at + body };
    else {
      spans.push({ from, to: at + end });
      done = end;
    }
  }
  const below = bare === undefined ? [] : keyLines(text, lineEnd + 1);
  if (bare !== undefined && below.length > 0) spans.push(bare, ...below);
  return below.at(-1)?.to ?? lineEnd;
}

/** Where a key ends that begins at `from` of a line. */
function keyOnLine(line: string, from: number): number | undefined {
  ON_ONE_LINE.lastIndex = from;
  const found = ON_ONE_LINE.exec(line)?.[0];
  if (found === undefined || !isKeyText(found)) return undefined;
  const rest = line.slice(from + found.length, from + found.length + 200);
  const end = END.exec(rest);
  // Between key and end is at most what escapes and quotes make.
  return (
    from +
    found.length +
    (end && /^[\s\\nrA-Za-z0-9+/="'`,]{0,90}$/.test(rest.slice(0, end.index)) ? end.index + end[0].length : 0)
  );
}

/** With its last line all that stands before it is the key; without, what is sure to be one, and one shorter line behind it. */
function keyLines(text: string, from: number): Span[] {
  const spans: Span[] = [];
  let sure = 0;
  /** Characters of the line before. */
  let before = 0;
  let headers = 0;
  for (let line = 0, at = from; line < MOST_LINES && at < text.length; line += 1) {
    const end = endOfLine(text, at);
    const whole = text.slice(at, Math.min(end, at + LONGEST_LINE));
    const gutter = GUTTER.exec(whole)?.[0].length ?? 0;
    const content = whole.slice(gutter);
    const start = at + gutter;
    at = end + 1;
    const last = END.exec(content.slice(0, BEFORE_END + LONGEST_END));
    if (last !== null && last.index < BEFORE_END) {
      const to = start + last.index + last[0].length;
      return spans.length === 0 ? [] : [...spans, { from: start + last.index, to }];
    }
    if (content.trim() === "") continue;
    if (spans.length === 0 && headers < MOST_HEADERS && KEY_HEADER.test(content.trimEnd())) {
      headers += 1;
      continue;
    }
    const key = KEY_LINE.exec(content)?.[0];
    if (key === undefined) break;
    spans.push({ from: start, to: start + key.length });
    const isFirst = spans.length === 1 && key.length >= WHOLE_LINE && FIRST_LINE.test(key);
    // A key that is cut off there: what stands behind a key is shown, as it may be code.
    const isCutOff = content.trimEnd() === key && text.slice(at, at + BEFORE_END).trim() === "";
    const isLast = isCutOff && spans.length > 1 && sure === spans.length - 1 && before >= WHOLE_LINE;
    if (isFirst || isLast || (key.length >= 16 && isKeyText(key))) sure = spans.length;
    before = key.length;
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
