import { followLines } from "../analysis/diff-texts.ts";
import type { Finding, FindingOutcome, SuggestedEdit } from "../domain/findings.ts";

/** What became of a suggestion: taken as it is, something else in its place, or the lines are as they were. */
export type SuggestionOutcome =
  | { readonly is: "applied" }
  | { readonly is: "rewritten"; readonly taken: string }
  | { readonly is: "ignored" };

/** Fewer characters than that stand in many places: whether they were moved cannot be told. */
const TELLING_CHARACTERS = 12;

/**
 * What became of an open finding's lines between the head where it was found and what was merged, by content (HUM-4): who indents or moves
 * them has not fixed them.
 */
export function outcomeOf({ line, endLine }: Pick<Finding, "line" | "endLine">, before: string, after: string) {
  const found = plain(linesOf(before).slice(line - 1, endLine));
  const now = followLines(before, after, line, endLine);
  if (!now) return "unknown" satisfies FindingOutcome;
  const isThere = same(plain(now.lines), found) || isMoved(found, before, after);
  return (isThere ? "ignored" : "fixed") satisfies FindingOutcome;
}

/** What became of one edit of a suggestion; undefined where that cannot be said. */
export function suggestionOutcome(edit: SuggestedEdit, before: string, after: string): SuggestionOutcome | undefined {
  const now = followLines(before, after, edit.startLine, edit.endLine);
  if (!now) return undefined;
  const [old, wanted, lines, around] = [linesOf(edit.before), linesOf(edit.after), now.lines, now.around].map(plain);
  if (!old || !wanted || !lines || !around) return undefined;
  const isLeft = same(lines, old) || holds(around, old);
  // Where the lines beside them were changed too, what took their place stands among others; and whoever takes lines away leaves a part of
  // them, or nothing: then only what is gone tells.
  const isThere = wanted.length === 0 || holds(around, wanted);
  const isTaken = same(lines, wanted) || same(around, wanted) || (isThere && (!isLeft || !isPart(wanted, old)));
  if (isTaken) return { is: "applied" };
  if (isLeft) return { is: "ignored" };
  return { is: "rewritten", taken: now.around.join("\n") };
}

function isMoved(found: readonly string[], before: string, after: string): boolean {
  if (found.join("").length < TELLING_CHARACTERS) return false;
  return countOf(found, plain(linesOf(after))) >= countOf(found, plain(linesOf(before)));
}

function countOf(block: readonly string[], lines: readonly string[]): number {
  return lines.filter((_, at) => same(lines.slice(at, at + block.length), block)).length;
}

function holds(lines: readonly string[], block: readonly string[]): boolean {
  return block.length > 0 && countOf(block, lines) > 0;
}

function isPart(block: readonly string[], lines: readonly string[]): boolean {
  return block.length === 0 || holds(lines, block);
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

/** Without what says nothing: indentation, spaces, empty lines. */
function plain(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "");
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
