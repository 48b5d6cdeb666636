import { isUtf8 } from "node:buffer";
import { type Redact, redactAside } from "../../safety/redact.ts";
import { NOT_SEARCHED } from "../../safety/redacting-thread.ts";
import { stripHidden } from "./strip-hidden.ts";
import { seenOf, unreadLines, withoutSelectors } from "./unread-lines.ts";

export interface CleanText {
  /** As many lines as before. */
  readonly lines: readonly string[];
  /** Lines of which so much was taken away that they count as not read, from 1. */
  readonly unread: readonly number[];
  /** Of these a secret was taken, or what looks like one: they are read only where people are told of it. */
  readonly masked: readonly number[];
  /** What was left out, in a sentence for the model; undefined when nothing was. */
  readonly leftOut: string | undefined;
}

export interface CleanOptions {
  readonly redact: Redact;
  /** Markdown or HTML that people read as a page. In code the same marks are code, and stay. */
  readonly prose: boolean;
  /** In a language in which strings stand between quotation marks. */
  readonly program?: boolean;
  /**
   * The number by which a line with invisible characters is named, where the text has other ones than its file; `false` where
   * none is.
   */
  readonly named?: false | ((line: string) => number | undefined);
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
export function cleanText(text: string, options: CleanOptions): CleanText {
  const seen = lookAt(text, options);
  return describe(text, seen, redactLines(seen.lines, options.redact), options);
}

/** The same of a whole file: another thread redacts a long one (OPS-8). */
export async function cleanTextAside(text: string, options: CleanOptions): Promise<CleanText> {
  const seen = lookAt(text, options);
  const redacted = await redactAside(seen.lines.join("\n"), options.redact);
  if (redacted === NOT_SEARCHED)
    return {
      ...describe(
        text,
        seen,
        seen.lines.map(() => ""),
        options,
      ),
      leftOut: NOT_SHOWN,
    };
  return describe(text, seen, withItsLines(redacted, seen.lines, options.redact), options);
}

/** A text as people see it, before it is redacted. */
interface SeenText {
  readonly lines: readonly string[];
  readonly stripped: { readonly comments: number; readonly hidden: number };
  readonly invisible: readonly Invisible[];
}

function lookAt(text: string, { prose, named }: CleanOptions): SeenText {
  const stripped = prose ? stripHidden(text) : { text, comments: 0, hidden: 0 };
  const invisible: Invisible[] = [];
  const visibleLines = stripped.text.split("\n").map((line, at) => {
    if (/^[\t\x20-\x7e]*\r?$/.test(line)) return line.endsWith("\r") ? line.slice(0, -1) : line;
    const seen = withoutSelectors(line);
    const visible = seenOf(line);
    if (visible.length < seen.length) {
      const number = named === false ? undefined : named ? named(visible) : at + 1;
      invisible.push({ at: at + 1, number, count: seen.length - visible.length, codes: invisibleCodes(seen) });
    }
    return visible;
  });
  return { lines: visibleLines, stripped, invisible };
}

function describe(
  text: string,
  { lines: visible, stripped, invisible }: SeenText,
  lines: readonly string[],
  { prose, program = false }: CleanOptions,
): CleanText {
  const told = invisible.filter(({ number }) => number !== undefined).slice(0, MOST_NAMED);
  return {
    lines,
    ...unreadLines({
      ...{ given: text.split("\n"), visible, shown: lines, prose, program },
      named: new Set(told.map(({ at }) => at)),
    }),
    leftOut: describeLeftOut(stripped, invisible, told),
  };
}

const NOT_SHOWN = "Nothing of this text is shown: it could not be searched for secrets.";

/** The invisible characters of one line. */
interface Invisible {
  /** From 1, in the text. */
  readonly at: number;
  /** By which it is named. */
  readonly number: number | undefined;
  readonly count: number;
  readonly codes: readonly string[];
}

/** Lines, and kinds of characters in each, that are named; more are counted. */
const MOST_NAMED = 10;

function invisibleCodes(line: string): string[] {
  const gone = [...line].filter((character) => character !== "\t" && seenOf(character) === "");
  return [...new Set(gone)].map(
    (character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`,
  );
}

/** Lines keep their numbers: a secret over several lines leaves as many behind. */
function redactLines(lines: readonly string[], redact: Redact): string[] {
  return withItsLines(redact(lines.join("\n")), lines, redact);
}

function withItsLines(redacted: string, lines: readonly string[], redact: Redact): string[] {
  const whole = redacted.split("\n");
  return whole.length === lines.length ? whole : lines.map((line) => redact(line));
}

function describeLeftOut(
  { comments, hidden }: SeenText["stripped"],
  invisible: readonly Invisible[],
  told: readonly Invisible[],
): string | undefined {
  const count = invisible.reduce((sum, line) => sum + line.count, 0);
  const places = told.map(({ number, codes }) => `line ${number}: ${listed(codes)}`);
  const where = `${places.join("; ")}${invisible.length > told.length ? "; ..." : ""}`;
  const parts = [
    ...(count === 0 ? [] : [counted(count, "invisible character") + (told.length === 0 ? "" : ` (${where})`)]),
    ...(comments === 0 ? [] : [counted(comments, "HTML comment")]),
    ...(hidden === 0 ? [] : [counted(hidden, "hidden text or attribute", "hidden texts or attributes")]),
  ];
  return parts.length === 0 ? undefined : `Left out of this text, as nobody sees it: ${parts.join(", ")}.`;
}

function listed(codes: readonly string[]): string {
  return `${codes.slice(0, MOST_NAMED).join(", ")}${codes.length > MOST_NAMED ? ", ..." : ""}`;
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
