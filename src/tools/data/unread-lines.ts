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
 * characters of secrets, 80 characters of what a page does not show, 8 invisible characters; and not as one of several lines.
 * @param given as it was; `visible` without what nobody sees; `shown` without secrets: all of as many lines
 */
export function unreadLines(
  given: readonly string[],
  visible: readonly string[],
  shown: readonly string[],
  prose: boolean,
): number[] {
  const hiddenAt = (at: number) => (given[at] ?? "").replace(/\r$/, "").length - (visible[at] ?? "").length;
  return shown.flatMap((line, at) => {
    const [before = "", seen = ""] = [given[at], visible[at]];
    if (line === before) return [];
    const hidden = hiddenAt(at);
    const overLines =
      hidden > 0 && seen.replace(GUTTER, "").trim() === "" && (hiddenAt(at - 1) > 0 || hiddenAt(at + 1) > 0);
    const tooMuch = hidden > (prose ? MOST_OF_HIDDEN : MOST_OF_INVISIBLE) || overLines || hidesAll(seen, line);
    return tooMuch ? [at + 1] : [];
  });
}

function hidesAll(seen: string, shown: string): boolean {
  if (seen === shown) return false;
  const marks = shown.split(REDACTED).length - seen.split(REDACTED).length;
  const taken = seen.length - (shown.length - marks * REDACTED.length);
  const left = shown.replace(GUTTER, "").replaceAll(REDACTED, "");
  return taken > MOST_OF_SECRETS || !/[A-Za-z0-9]/.test(left);
}
