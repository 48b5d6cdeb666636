import { isUtf8 } from "node:buffer";
import { REDACTED_AT_ONCE, type Redact, redactAside } from "../../safety/redact.ts";
import { redactInTurns } from "../../safety/redact-value.ts";
import { NOT_SEARCHED } from "../../safety/redacting-thread.ts";
import { openThreadPool } from "../../safety/thread-pool.ts";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { CleaningStep } from "./clean-thread.ts";
import { type LineNames, lookAtText, type SeenText, type TextToLookAt } from "./look-at-text.ts";
import { type NotRead, type Stages, unreadLines } from "./unread-lines.ts";

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
  /** By which numbers lines with invisible characters are named: of their places, where nothing is said. */
  readonly names?: LineNames;
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

const CODE = new URL("./clean-thread", import.meta.url);
/** A megabyte of the shortest lines takes a second. */
const THREADS = { most: 2, timeMs: 60_000, memoryMib: 1024 } as const;
const ask = openThreadPool<CleaningStep, SeenText | NotRead>(CODE, THREADS);

/** Where the stages of a text are done: each answers `undefined` where its thread failed or was late. */
interface Stager {
  readonly look: (text: TextToLookAt) => SeenText | Promise<SeenText | undefined>;
  readonly compare: (stages: Stages) => NotRead | Promise<NotRead | undefined>;
}

const HERE: Stager = { look: lookAtText, compare: unreadLines };
const ASIDE: Stager = {
  look: (text) => ask(text) as Promise<SeenText | undefined>,
  compare: (stages) => ask(stages) as Promise<NotRead | undefined>,
};

/** Some 32,000 characters of all short texts together are cleaned in 20 ms. */
const turn = takeTurns({ most: 32, unitsOfStep: 1_024 });

/**
 * Foreign text as a model may read it (SEC-5, SEC-6): without secrets, without characters that are not seen, and, in prose, without what a
 * page does not show. Line numbers stay those of git. What is joined over invisible characters is looked for secrets as it is joined. Other
 * threads clean what is longer than `REDACTED_AT_ONCE` (OPS-8).
 */
export async function cleanText(text: string, options: CleanOptions): Promise<CleanText> {
  const { redact, prose, program = false, names = "places" } = options;
  const stager = text.length > REDACTED_AT_ONCE ? ASIDE : HERE;
  const seen = await stager.look({ text, prose, names });
  if (seen === undefined) return nothingOf(text);
  const redacted = await redactAside(seen.text, redact);
  if (redacted === NOT_SEARCHED) return nothingOf(text);
  const shown = await withItsLines(redacted, seen.text, redact);
  const { named, leftOut } = seen;
  const notRead = await stager.compare({ given: text, visible: seen.text, shown, prose, program, named });
  if (notRead === undefined) return nothingOf(text);
  await turn(text.length);
  return { lines: shown.split("\n"), ...notRead, leftOut };
}

const NOT_SHOWN = "Nothing of this text is shown: it could not be searched for secrets.";

function nothingOf(text: string): CleanText {
  const lines = text.split("\n");
  const unread = lines.flatMap((line, at) => (line.trim() === "" ? [] : [at + 1]));
  return { lines: lines.map(() => ""), unread, masked: [], leftOut: NOT_SHOWN };
}

/** Lines keep their numbers: a secret over several lines leaves as many behind. */
async function withItsLines(redacted: string, text: string, redact: Redact): Promise<string> {
  const lines = text.split("\n");
  if (redacted.split("\n").length === lines.length) return redacted;
  return (await Array.fromAsync(lines, redactInTurns(redact))).join("\n");
}

interface CleanTexts {
  /** As many as before, each on one line. */
  readonly lines: readonly string[];
  /** Of how many of them something was left out, in a sentence for the model; undefined when of none. */
  readonly leftOut: string | undefined;
}

/** Foreign texts as a model may read them, each by itself: what one of them hides, as by a comment without an end, hides no other. */
export async function cleanEach(
  texts: readonly { readonly text: string; readonly prose: boolean }[],
  options: Pick<CleanOptions, "redact">,
): Promise<CleanTexts> {
  const clean = await Array.fromAsync(texts, ({ text, prose }) => cleanText(text, { ...options, prose }));
  const count = clean.filter(({ leftOut }) => leftOut !== undefined).length;
  return {
    lines: clean.map(({ lines }) => lines.join(" ")),
    leftOut:
      count === 0
        ? undefined
        : `Left out of ${count} ${count === 1 ? "line" : "lines"}, as nobody sees it: hidden characters or text.`,
  };
}
