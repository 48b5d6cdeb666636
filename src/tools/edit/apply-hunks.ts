import { ToolFailure } from "../tool.ts";
import type { FilePatch, Hunk } from "./parse-patch.ts";

/**
 * The text with all hunks of a file applied, each where its old lines stand; of several such places the one nearest to the line that the
 * hunk names, behind the hunk before.
 * @throws {ToolFailure} `no_match` or `many_matches`
 */
export function applyHunks(text: string, { hunks, newPath = "", finalBreak }: FilePatch): string {
  const endsInBreak = text === "" || text.endsWith("\n");
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const result: string[] = [];
  let done = 0;
  for (const [index, hunk] of hunks.entries()) {
    const at = placeOf(lines, hunk, done, `hunk ${index + 1} of ${JSON.stringify(newPath)}`);
    result.push(...lines.slice(done, at), ...hunk.after);
    done = at + hunk.before.length;
  }
  const last = hunks.at(-1);
  const endIsNew = done === lines.length && last?.before.at(-1) !== last?.after.at(-1);
  const withBreak = (done === lines.length ? finalBreak : undefined) ?? (endIsNew || endsInBreak);
  result.push(...lines.slice(done));
  return result.length === 0 ? "" : `${result.join("\n")}${withBreak ? "\n" : ""}`;
}

function placeOf(lines: readonly string[], hunk: Hunk, from: number, name: string): number {
  const { before, oldStart } = hunk;
  if (before.length === 0) {
    // Only adds: behind the line it names, as git means it.
    if (oldStart === undefined && lines.length > 0) {
      throw new ToolFailure(
        "no_match",
        `The ${name} only adds lines and does not say where: give lines around them. Nothing was changed.`,
      );
    }
    return Math.min(Math.max(oldStart ?? 0, from), lines.length);
  }
  const places: number[] = [];
  for (let at = from; at + before.length <= lines.length; at += 1) {
    if (before.every((line, offset) => lines[at + offset] === line)) places.push(at);
  }
  if (places.length === 0) {
    throw new ToolFailure(
      "no_match",
      `The ${name} does not fit: its context and deleted lines do not stand there like this. Read the file again. Nothing was changed.`,
    );
  }
  if (oldStart === undefined && places.length > 1) {
    throw new ToolFailure(
      "many_matches",
      `The ${name} fits at ${places.length} places: give more context or the line number in its header. Nothing was changed.`,
    );
  }
  const wanted = (oldStart ?? 1) - 1;
  return places.reduce((best, at) => (Math.abs(at - wanted) < Math.abs(best - wanted) ? at : best));
}
