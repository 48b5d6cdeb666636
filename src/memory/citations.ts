import { createHash } from "node:crypto";
import type { CitedCode } from "../domain/memories.ts";

/** More lines than that are no citation any more: its end is cut. */
const MOST_LINES = 20;
/** Letters and digits that make lines telling; fewer stand everywhere, and their neighbours are cited with them. */
const TELLING = 12;
/** How many lines a citation is widened by on each side at most. */
const WIDENED = 3;

/**
 * Whether the code that a memory rests on is still there: `changed` is a file that was cited as a whole and says something else now; `unread`
 * where nobody could look.
 */
export type Citation = "holds" | "changed" | "gone" | "unread";

/** Cites lines of a text, from 1 and both ends included; undefined where it has no such lines or they say nothing. */
export function citeLines(path: string, text: string, startLine: number, endLine: number): CitedCode | undefined {
  const all = linesOf(text);
  let [from, to] = [Math.max(0, startLine - 1), Math.min(all.length, endLine, startLine - 1 + MOST_LINES)];
  const telling = () =>
    all
      .slice(from, to)
      .join("")
      .replace(/[^\p{L}\p{N}]/gu, "").length;
  if (from >= to) return undefined;
  for (let widened = 0; widened < WIDENED && telling() < TELLING; widened += 1) {
    from = Math.max(0, from - 1);
    to = Math.min(all.length, to + 1);
  }
  if (telling() === 0) return undefined;
  return { path, fingerprint: digest(all.slice(from, to)), lines: to - from };
}

/** Cites a file as a whole: it holds while there is one of that name. */
export function citeFile(path: string, text: string): CitedCode {
  return { path, fingerprint: digest(linesOf(text)) };
}

/** Looks for cited code in what its file says now; `text` is undefined where there is no such file. White space does not count. */
export function findCited({ fingerprint, lines: count }: CitedCode, text: string | undefined): Citation {
  if (text === undefined) return "gone";
  const lines = linesOf(text);
  if (count === undefined) return digest(lines) === fingerprint ? "holds" : "changed";
  for (let at = 0; at + count <= lines.length; at += 1) {
    if (digest(lines.slice(at, at + count)) === fingerprint) return "holds";
  }
  return "gone";
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
}

function digest(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

/** Looks for cited code; `learntOn` names the subject whose change the memory was learnt from, where it was one. */
export type CheckCitation = (cited: CitedCode, learntOn: string | undefined) => Promise<Citation>;
