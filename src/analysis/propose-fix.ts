import type { SuggestedFix } from "../domain/findings.ts";
import { lineText, type SourceFile } from "./source-file.ts";

/** A replacement of a part of the text; positions are 1-based, columns in UTF-16 units, the end exclusive. */
export interface Edit {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
  readonly text: string;
}

/**
 * The edit as a replacement of whole lines, which is what GitHub can apply. Undefined unless every replaced line was added by the
 * change, and when it would change nothing. An empty `after` removes the lines.
 */
export function proposeFix(file: SourceFile, edit: Edit): SuggestedFix | undefined {
  const { start, end } = edit;
  for (let line = start.line; line <= end.line; line += 1) if (!file.addedLines.has(line)) return undefined;
  const lines = Array.from({ length: end.line - start.line + 1 }, (_, index) => lineText(file, start.line + index));
  const head = lineText(file, start.line).slice(0, start.column - 1);
  const tail = lineText(file, end.line).slice(end.column - 1);
  const before = lines.join("\n");
  const after = `${head}${edit.text.replaceAll("\r\n", "\n")}${tail}`;
  if (after === before) return undefined;
  return {
    file: file.path,
    startLine: start.line,
    endLine: end.line,
    before,
    after: after.trim() === "" ? "" : after.trimEnd(),
  };
}

/** The text of the file with the fix applied, line endings as they are. */
export function applyFix(file: Pick<SourceFile, "text" | "lineStarts">, fix: SuggestedFix): string {
  const from = file.lineStarts[fix.startLine - 1] ?? file.text.length;
  const to = file.lineStarts[fix.endLine] ?? file.text.length;
  const ending = /\r?\n$/.exec(file.text.slice(from, to))?.[0] ?? "";
  return `${file.text.slice(0, from)}${fix.after === "" ? "" : `${fix.after}${ending}`}${file.text.slice(to)}`;
}
