import { REDACTED } from "../../safety/redact.ts";

/** More characters than a secret has. */
const MOST_OF_SECRETS = 200;
/** A mark for a linter, or the text of a picture; sentences are longer. */
const MOST_OF_HIDDEN = 80;
/** Pictographs that are joined to one, or a mark of the order of bytes; in more of them a text can be written. */
const MOST_OF_INVISIBLE = 8;

/** Number, sign and bar that stand before the text of a line. */
const GUTTER = /^ *\d* ?[ +-]?\|/;

/**
 * Lines that count as not read, from 1 (GH-11a). A line is read while something of it is left and not more was taken away than: 200
 * characters of secrets, 80 characters of what a page does not show, 8 invisible characters; and not as one of several lines. A name that
 * looks like a token is code that was hidden, and none of it was read.
 * @param given as it was; `visible` without what nobody sees; `shown` without secrets: all of as many lines
 */
export function unreadLines(
  given: readonly string[],
  visible: readonly string[],
  shown: readonly string[],
  prose: boolean,
  program = false,
): number[] {
  const hiddenAt = (at: number) => (given[at] ?? "").replace(/\r$/, "").length - (visible[at] ?? "").length;
  return shown.flatMap((line, at) => {
    const [before = "", seen = ""] = [given[at], visible[at]];
    if (line === before) return [];
    const hidden = hiddenAt(at);
    const overLines =
      hidden > 0 && seen.replace(GUTTER, "").trim() === "" && (hiddenAt(at - 1) > 0 || hiddenAt(at + 1) > 0);
    const tooMuch =
      hidden > (prose ? MOST_OF_HIDDEN : MOST_OF_INVISIBLE) ||
      overLines ||
      hidesAll(seen, line) ||
      hidesCode(seen, line, prose, program);
    return tooMuch ? [at + 1] : [];
  });
}

const MARK = REDACTED.replace(/[[\]]/g, "\\$&");
/** Called, looked into, declared or given a value: nobody does that with a secret. */
const USED = new RegExp(
  String.raw`${MARK}(?:\s{0,9}(?:[([{\x60]|\?\.|=>)|\.[\w$]|\s{1,9}=(?!=))|(?:\b(?:function|class|const|let|var|def|fn|func|new|delete|typeof)\s{1,9}|[\w$)\]]\??\.)${MARK}`,
);
/** What stands before a secret in a program, where a line of it has one: a secret is a string, or told in a comment. */
const QUOTED = /["'`]|\/[/*]|^\s*\*|#|--/;

function hidesCode(seen: string, shown: string, prose: boolean, program: boolean): boolean {
  if (prose || seen === shown) return false;
  const text = shown.replace(GUTTER, "");
  return USED.test(text) || (program && !QUOTED.test(text.slice(0, text.indexOf(REDACTED))));
}

function hidesAll(seen: string, shown: string): boolean {
  if (seen === shown) return false;
  const marks = shown.split(REDACTED).length - seen.split(REDACTED).length;
  const taken = seen.length - (shown.length - marks * REDACTED.length);
  const left = shown.replace(GUTTER, "").replaceAll(REDACTED, "");
  return taken > MOST_OF_SECRETS || !/[A-Za-z0-9]/.test(left);
}
