import { isUtf8 } from "node:buffer";
import { REDACTED, type Redact } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { stripHidden, withoutKnownMarks } from "./strip-hidden.ts";

export interface CleanText {
  /** As many lines as before. */
  readonly lines: readonly string[];
  /** Lines of which so much was taken away that they count as not read, from 1. */
  readonly unread: readonly number[];
  /** What was left out, in a sentence for the model; undefined when nothing was. */
  readonly leftOut: string | undefined;
}

export interface CleanOptions {
  readonly redact: Redact;
  /** Markdown or HTML that people read as a page. In code the same marks are code, and stay. */
  readonly prose: boolean;
  /** In a language in which strings stand between quotation marks. */
  readonly program?: boolean;
  /** Whether the lines with invisible characters are named; not where the text has other numbers than its file. */
  readonly named?: boolean;
}

/**
 * Documents that are shown to people as pages and do nothing. HTML and MDX run: what a page hides there is code that has to be read. Of a
 * `.txt` nothing is hidden from people, and some of them run (`CMakeLists.txt`) or say what is installed.
 */
export function isProse(path: string): boolean {
  return /\.(?:md|markdown|rst|adoc)$/i.test(path);
}

/** Programs in whose languages nothing but a name stands without quotation marks. */
export function isQuoting(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|c|cc|cpp|h|hpp|cs|php|rb|swift|scala|dart|zig|lua)$/i.test(path);
}

/** Text of a file, or undefined when it is not text; what is not UTF-8 is read byte by byte, so that no line moves. */
export function decodeText(content: Buffer): string | undefined {
  if (content.subarray(0, 8_000).includes(0)) return undefined;
  const text = isUtf8(content) ? content.toString("utf8") : content.toString("latin1");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/**
 * Foreign text as a model may read it (SEC-5, SEC-6): without secrets, without characters that are not seen, and, in prose, without what a
 * page does not show. Line numbers stay those of git. What is joined over invisible characters is looked for secrets as it is joined.
 */
export function cleanText(text: string, { redact, prose, program = false, named = true }: CleanOptions): CleanText {
  const stripped = prose ? stripHidden(text) : { text, comments: 0, hidden: 0 };
  const invisibleAt: number[] = [];
  let invisible = 0;
  const visibleLines = stripped.text.split("\n").map((line, at) => {
    if (/^[\t\x20-\x7e]*\r?$/.test(line)) return line.endsWith("\r") ? line.slice(0, -1) : line;
    const seen = withoutSelectors(line);
    const visible = seenOf(line);
    if (visible.length < seen.length) {
      invisible += seen.length - visible.length;
      invisibleAt.push(at + 1);
    }
    return visible;
  });
  const lines = redactLines(visibleLines, redact);
  return {
    lines,
    unread: unreadLines(text.split("\n"), visibleLines, lines, prose, program),
    leftOut: describeLeftOut(stripped, invisible, named ? invisibleAt : []),
  };
}

/** A selector behind a pictograph says how it is drawn: everybody has those. */
function withoutSelectors(line: string): string {
  return line.replace(/\r$/, "").replace(/(?<=\p{Extended_Pictographic})\ufe0f/gu, "");
}

function seenOf(line: string): string {
  return visibleText(withoutSelectors(line)).replaceAll("\n", " ");
}

/** Lines keep their numbers: a secret over several lines leaves as many behind. */
function redactLines(lines: readonly string[], redact: Redact): string[] {
  const whole = redact(lines.join("\n")).split("\n");
  return whole.length === lines.length ? whole : lines.map(redact);
}

function describeLeftOut(
  { comments, hidden }: { readonly comments: number; readonly hidden: number },
  invisible: number,
  lines: readonly number[],
): string | undefined {
  const where = `line${lines.length === 1 ? "" : "s"} ${lines.slice(0, 10).join(", ")}${lines.length > 10 ? ", ..." : ""}`;
  const parts = [
    ...(invisible === 0 ? [] : [counted(invisible, "invisible character") + (lines.length === 0 ? "" : ` (${where})`)]),
    ...(comments === 0 ? [] : [counted(comments, "HTML comment")]),
    ...(hidden === 0 ? [] : [counted(hidden, "hidden text or attribute", "hidden texts or attributes")]),
  ];
  return parts.length === 0 ? undefined : `Left out of this text, as nobody sees it: ${parts.join(", ")}.`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

interface CleanTexts {
  /** As many as before, each on one line. */
  readonly lines: readonly string[];
  /** Of how many of them something was left out, in a sentence for the model; undefined when of none. */
  readonly leftOut: string | undefined;
}

/** Foreign texts as a model may read them, each by itself: what one of them hides, as by a comment without an end, hides no other. */
export function cleanEach(
  texts: readonly { readonly text: string; readonly prose: boolean }[],
  options: Pick<CleanOptions, "redact">,
): CleanTexts {
  const clean = texts.map(({ text, prose }) => cleanText(text, { ...options, prose }));
  const count = clean.filter(({ leftOut }) => leftOut !== undefined).length;
  return {
    lines: clean.map(({ lines }) => lines.join(" ")),
    leftOut:
      count === 0
        ? undefined
        : `Left out of ${count} ${count === 1 ? "line" : "lines"}, as nobody sees it: hidden characters or text.`,
  };
}

/** More characters than a secret has. */
const MOST_OF_SECRETS = 200;
/** Pictographs that are joined to one, or a mark of the order of bytes; in more of them a text can be written. */
const MOST_OF_INVISIBLE = 8;

/** Number, sign and bar that stand before the text of a line. */
const GUTTER = /^ *\d* ?[ +-]?\|/;

/**
 * Lines that count as not read, from 1 (GH-11a). A line is read while something of it is left and not more was taken away than: 200
 * characters of secrets, 8 invisible characters, and of what a page does not show nothing but marks that are known; and not as one of several
 * lines. A name that looks like a token is code that was hidden, and none of it was read.
 * @param given as it was; `visible` without hidden text; `shown` without secrets: all of as many lines
 */
function unreadLines(
  given: readonly string[],
  visible: readonly string[],
  shown: readonly string[],
  prose: boolean,
  program = false,
): number[] {
  const hiddenAt = (at: number) => lengthOf(given, at) - lengthOf(visible, at);
  return shown.flatMap((line, at) => {
    const [before = "", seen = ""] = [given[at], visible[at]];
    if (line === before) return [];
    const bare = seenOf(before);
    const overLines =
      hiddenAt(at) > 0 && seen.replace(GUTTER, "").trim() === "" && (hiddenAt(at - 1) > 0 || hiddenAt(at + 1) > 0);
    const tooMuch =
      lengthOf(given, at) - bare.length > MOST_OF_INVISIBLE ||
      (prose ? withoutKnownMarks(bare) !== withoutKnownMarks(seen) : overLines) ||
      hidesAll(seen, line) ||
      hidesCode(seen, line, prose, program);
    return tooMuch ? [at + 1] : [];
  });
}

function lengthOf(lines: readonly string[], at: number): number {
  return withoutSelectors(lines[at] ?? "").length;
}

const MARK = REDACTED.replace(/[[\]]/g, "\\$&");
/** Called, looked into, declared or given a value: secrets are not. */
const USED = new RegExp(
  String.raw`${MARK}(?:\s{0,9}(?:[([{\x60]|\?\.|=>)|\.[\w$]|\s{1,9}=(?!=))|(?:\b(?:function|class|const|let|var|def|fn|func|new|delete|typeof)\s{1,9}|[\w$)\]]\??\.)${MARK}`,
);
/** What commands and expressions need and hardly any secret has: in the password of an address a shell would read on. */
const OPERATORS = /[;|&(){}<>\x60]/g;

function hidesCode(seen: string, shown: string, prose: boolean, program: boolean): boolean {
  if (prose || seen === shown) return false;
  const text = shown.replace(GUTTER, "");
  return (
    USED.test(text) ||
    (program && standsOutside(text)) ||
    countOperators(seen) > countOperators(shown) ||
    hidesEncodedCode(seen, shown)
  );
}

function countOperators(text: string): number {
  return text.match(OPERATORS)?.length ?? 0;
}

/** Whether what was hidden stands neither in a string nor in a comment, as far as its line tells: in a program a secret does. */
function standsOutside(text: string): boolean {
  let quote = "";
  let comment = /^\s*\*/.test(text);
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (text.startsWith(REDACTED, at)) {
      if (quote === "" && !comment) return true;
      at += REDACTED.length - 1;
    } else if (quote !== "") {
      if (character === "\\") at += 1;
      else if (character === quote) quote = "";
    } else if (/["'`]/.test(character)) quote = character;
    else if (/^(?:#|\/[/*]|--)/.test(text.slice(at, at + 2))) comment = true;
    else if (text.startsWith("*/", at)) comment = false;
  }
  return false;
}

/** Shorter ones say next to nothing. */
const ENCODED = /[A-Za-z0-9+/_-]{16,}/g;
/** What expressions need and the claims of a token do not. */
const EXPRESSION = /[;|&()<>=\x60]/;
const MOSTLY_TEXT = 0.9;

/** Whether a part of what was hidden is an expression in base64, as in a signed token: programs take it out and run it. */
function hidesEncodedCode(seen: string, shown: string): boolean {
  const left = new Set(shown.match(ENCODED));
  return (seen.match(ENCODED) ?? []).some(
    (part) => !left.has(part) && OFFSETS.some((at) => isExpression(part.slice(at))),
  );
}

/** What stands before a token may be of its alphabet. */
const OFFSETS = [0, 1, 2, 3];

function isExpression(base64: string): boolean {
  const bytes = Buffer.from(base64, "base64");
  const letters = bytes.filter((byte) => byte >= 9 && byte < 127).length;
  return letters >= MOSTLY_TEXT * bytes.length && EXPRESSION.test(bytes.toString("latin1"));
}

function hidesAll(seen: string, shown: string): boolean {
  if (seen === shown) return false;
  const marks = shown.split(REDACTED).length - seen.split(REDACTED).length;
  const taken = seen.length - (shown.length - marks * REDACTED.length);
  const left = shown.replace(GUTTER, "").replaceAll(REDACTED, "");
  return taken > MOST_OF_SECRETS || !/[A-Za-z0-9]/.test(left);
}
