import type { PresentedFile } from "../../analysis/present-change.ts";
import type { Redact } from "../../safety/redact.ts";
import { cleanText, isProse, isQuoting } from "../../tools/data/clean-text.ts";
import { fenceData } from "../../tools/data/fence-data.ts";

/** Added lines of a changed file that a reader was not shown, or not so that it could be said to have read them. */
export interface UnreadLines {
  readonly path: string;
  /** On the side that will be there, in their order. */
  readonly lines: readonly number[];
}

/** The number of a line that the change adds, as `presentFile` writes it. */
const ADDED = /^ *(\d+) \+\|/;

/** A changed file between marks, without what no model may read, and which of its added lines that leaves unread. */
export function showChange({ path, text }: PresentedFile, redact: Redact): { text: string; unread: UnreadLines } {
  const { lines, leftOut, unread } = cleanText(text, {
    redact,
    prose: isProse(path),
    program: isQuoting(path),
    named: false,
  });
  const given = text.split("\n");
  const added = unread.flatMap((line) => {
    const number = ADDED.exec(given[line - 1] ?? "")?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  const shown = fenceData(`the change of ${path}`, lines.join("\n"));
  return { text: leftOut === undefined ? shown : `${shown}\n${leftOut}`, unread: { path, lines: added } };
}
