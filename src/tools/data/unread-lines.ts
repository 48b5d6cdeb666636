import { findUnseen } from "../../analysis/disguises/invisible.ts";
import { HIDDEN_PATH, REDACTED } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { withoutKnownMarks } from "./strip-hidden.ts";

/** A selector behind a pictograph says how it is drawn: everybody has those. */
export function withoutSelectors(line: string): string {
  return line.replace(/\r$/, "").replace(/(?<=\p{Extended_Pictographic})\ufe0f/gu, "");
}

/** A line as a person sees it. */
export function seenOf(line: string): string {
  return visibleText(withoutSelectors(line)).replaceAll("\n", " ");
}

/** More characters than a secret has. */
const MOST_OF_SECRETS = 200;
/** Pictographs that are joined to one, or a mark of the order of bytes; in more of them a text can be written. */
const MOST_OF_INVISIBLE = 8;

/** Number, sign and bar that stand before the text of a line. */
const GUTTER = /^ *\d* ?[ +-]?\|/;

/** Taken by redaction as a secret; as long as the passwords that examples and tests have in an address. */
const MOST_OF_PLACEHOLDER = 24;

/** A text and what was made of it: all of as many lines. */
export interface Stages {
  readonly given: string;
  /** Without hidden text. */
  readonly visible: string;
  /** Without secrets besides. */
  readonly shown: string;
  readonly prose: boolean;
  readonly program: boolean;
  /** Lines of which is said which characters were left out, from 1. */
  readonly named: readonly number[];
}

/** Lines by their numbers, from 1. */
export interface NotRead {
  readonly unread: readonly number[];
  /** Of these a secret was taken, or what looks like one: they are read only where people are told of it. */
  readonly masked: readonly number[];
}

/**
 * Lines that count as not read (GH-11a). A line is read while something of it is left and not more was taken away than: invisible characters
 * that are part of how a script or a pictograph is written or that are named, 8 at most; 200 characters of secrets, and 24 where nobody is
 * told of them; and of what a page does not show nothing but marks that are known; and not as one of several lines. A name that looks
 * like a token is code that was hidden, and none of it was read.
 */
export function unreadLines({ prose, program, ...stages }: Stages): NotRead {
  const linesOf = (stage: "given" | "visible" | "shown") => stages[stage].split("\n");
  const [given, visible, shown] = [linesOf("given"), linesOf("visible"), linesOf("shown")];
  const named = new Set(stages.named);
  const hiddenAt = (at: number) => lengthOf(given, at) - lengthOf(visible, at);
  const unread: number[] = [];
  const masked: number[] = [];
  for (const [at, line] of shown.entries()) {
    const [before = "", seen = ""] = [given[at], visible[at]];
    if (line === before) continue;
    const bare = seenOf(before);
    const overLines =
      hiddenAt(at) > 0 && seen.replace(GUTTER, "").trim() === "" && (hiddenAt(at - 1) > 0 || hiddenAt(at + 1) > 0);
    const taken = lengthWithoutMarks(seen) - lengthWithoutMarks(line);
    const tooMuch =
      lengthOf(given, at) - bare.length > MOST_OF_INVISIBLE ||
      (bare !== before && !named.has(at + 1) && holdsUnseen(before)) ||
      (prose ? withoutKnownMarks(bare) !== withoutKnownMarks(seen) : overLines) ||
      (seen !== line && (taken > MOST_OF_SECRETS || !/[A-Za-z0-9]/.test(withoutMarks(line.replace(GUTTER, ""))))) ||
      hidesCode(seen, line, prose, program);
    if (tooMuch) unread.push(at + 1);
    else if (seen !== line && taken > MOST_OF_PLACEHOLDER) masked.push(at + 1);
  }
  return { unread, masked };
}

/** What has no form of its own and is no spelling, or steers a terminal. A form feed parts the pages of old sources. */
function holdsUnseen(line: string): boolean {
  return findUnseen(withoutSelectors(line)).length > 0 || CONTROL.test(line);
}

const CONTROL = /[\p{Cc}--[\t\f\r\u0085]]|\p{Cs}/v;

function withoutMarks(text: string): string {
  return text.replaceAll(REDACTED, "").replaceAll(HIDDEN_PATH, "");
}

function lengthWithoutMarks(text: string): number {
  return withoutMarks(text).length;
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
