import type { SuggestedFix } from "../domain/findings.ts";
import { lineText, type SourceFile } from "./source-file.ts";

/** A replacement of a part of the text; positions are 1-based, columns in UTF-16 units, the end exclusive. */
export interface Edit {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
  readonly text: string;
}

/** A longer suggestion is not read, and a line of a megabyte may have ten thousand of them. */
const LONGEST = 4_000;

/**
 * The edit as a replacement of whole lines, which is what GitHub can apply. Undefined unless every replaced line was added by the
 * change, and when it would change nothing. An empty `after` removes the lines.
 */
export function proposeFix(file: SourceFile, edit: Edit): SuggestedFix | undefined {
  const { start, end } = edit;
  if (lengthOf(file, start.line, end.line) > LONGEST) return undefined;
  const before = Array.from({ length: end.line - start.line + 1 }, (_, index) => lineText(file, start.line + index));
  const head = (before[0] ?? "").slice(0, start.column - 1);
  const tail = (before.at(-1) ?? "").slice(end.column - 1);
  const after = `${head}${edit.text}${tail}`.split(/\r?\n/);
  let startLine = start.line;
  // Linters like to take the line break before a statement along; unchanged lines do not belong into a suggestion.
  while (before.length > 1 && after.length > 0 && before[0] === after[0]) {
    before.shift();
    after.shift();
    startLine += 1;
  }
  while (before.length > 1 && after.length > 0 && before.at(-1) === after.at(-1)) {
    before.pop();
    after.pop();
  }
  const endLine = startLine + before.length - 1;
  for (let line = startLine; line <= endLine; line += 1) if (!file.addedLines.has(line)) return undefined;
  const text = after.join("\n");
  if (text === before.join("\n")) return undefined;
  return {
    file: file.path,
    startLine,
    endLine,
    before: before.join("\n"),
    after: text.trim() === "" ? "" : text.trimEnd(),
  };
}

function lengthOf({ text, lineStarts }: SourceFile, line: number, endLine: number): number {
  return (lineStarts[endLine] ?? text.length) - (lineStarts[line - 1] ?? 0);
}

/** The text of the file with the fix applied, line endings as they are. */
export function applyFix(file: Pick<SourceFile, "text" | "lineStarts">, fix: SuggestedFix): string {
  const from = file.lineStarts[fix.startLine - 1] ?? file.text.length;
  const to = file.lineStarts[fix.endLine] ?? file.text.length;
  const ending = /\r?\n$/.exec(file.text.slice(from, to))?.[0] ?? "";
  return `${file.text.slice(0, from)}${fix.after === "" ? "" : `${fix.after}${ending}`}${file.text.slice(to)}`;
}
