import type { Side } from "../records.ts";

/** One line of a unified diff, with its number on each side where it has one. */
export interface DiffRow {
  readonly kind: "hunk" | "added" | "deleted" | "context" | "note";
  readonly left: number | null;
  readonly right: number | null;
  readonly text: string;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function diffRows(patch: string | null): DiffRow[] {
  let [left, right] = [0, 0];
  return (patch ?? "").split("\n").flatMap((line): DiffRow[] => {
    const text = line.slice(1);
    const header = HUNK.exec(line);
    if (header) {
      [left, right] = [Number(header[1]), Number(header[2])];
      return [{ kind: "hunk", left: null, right: null, text: line }];
    }
    if (line.startsWith("+")) return [{ kind: "added", left: null, right: right++, text }];
    if (line.startsWith("-")) return [{ kind: "deleted", left: left++, right: null, text }];
    if (line.startsWith("\\")) return [{ kind: "note", left: null, right: null, text: line.slice(2) }];
    return line === "" ? [] : [{ kind: "context", left: left++, right: right++, text }];
  });
}

export function isAt(row: DiffRow, side: Side, line: number): boolean {
  return (side === "LEFT" ? row.left : row.right) === line;
}

/** What stands above a comment in the conversation: the lines that it is about, at least four where the hunk has them. */
export function rowsAround(rows: readonly DiffRow[], side: Side, startLine: number, line: number): DiffRow[] {
  const end = rows.findIndex((row) => isAt(row, side, line));
  if (end === -1) return [];
  const hunk = rows.findLastIndex((row, at) => at <= end && row.kind === "hunk");
  const start = rows.findIndex((row) => isAt(row, side, startLine));
  return rows.slice(Math.max(hunk + 1, Math.min(start === -1 ? end : start, end - 3)), end + 1);
}

/** The text of the new side's lines, as far as the diff shows them. */
export function newText(rows: readonly DiffRow[], startLine: number, line: number): string[] {
  return rows.filter(({ right }) => right !== null && right >= startLine && right <= line).map(({ text }) => text);
}
