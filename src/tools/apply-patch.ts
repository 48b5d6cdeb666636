import { z } from "zod";
import { placesOf } from "../domain/places-of.ts";
import {
  changeFiles,
  type EditDependencies,
  editableText,
  knownContent,
  type PlannedChange,
  requirePath,
} from "./edit/change-files.ts";
import { type FilePatch, type Hunk, parsePatch } from "./edit/parse-patch.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  patch: z
    .string()
    .min(1)
    .max(1_000_000)
    .describe(
      "A unified diff: --- a/path, +++ b/path, then hunks that begin with @@; /dev/null as one side creates or deletes a file",
    ),
});
type Input = z.infer<typeof Input>;

export function applyPatch(dependencies: EditDependencies): Tool<Input> {
  return {
    name: "apply_patch",
    description:
      "Applies a unified diff to one or more files, all of it or nothing. Use it for changes that belong together; for one place edit_file is simpler. Context and deleted lines must stand in the file exactly; line numbers in hunk headers may be inexact. Files that exist must have been read since they last changed. Gives the changed files.",
    inputSchema: Input,
    readOnly: false,
    timeoutMs: 30_000,
    run: async ({ patch }, { signal }) => {
      const planned: PlannedChange[] = [];
      const paths = new Set<string>();
      const said: string[] = [];
      for (const file of parsePatch(patch)) {
        const path = requirePath(file.newPath ?? file.oldPath ?? "");
        if (paths.has(path)) {
          throw new ToolFailure(
            "bad_patch",
            `${JSON.stringify(path)} stands in the patch twice: put its hunks together. Nothing was changed.`,
          );
        }
        paths.add(path);
        planned.push({ path, content: await patched(dependencies, file, path, signal) });
        said.push(
          `${file.oldPath === undefined ? "created" : file.newPath === undefined ? "deleted" : "changed"} ${JSON.stringify(path)}`,
        );
      }
      await changeFiles(dependencies, planned, signal);
      return { text: `Applied: ${said.join(", ")}.`, metrics: { files: planned.length } };
    },
  };
}

async function patched(
  dependencies: EditDependencies,
  file: FilePatch,
  path: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const content = await knownContent(dependencies, path, signal);
  const shown = JSON.stringify(path);
  if (file.oldPath === undefined) {
    if (content !== undefined) throw new ToolFailure("exists", `${shown} exists already. Nothing was changed.`);
    return Buffer.from(applyHunks("", file));
  }
  if (content === undefined) throw new ToolFailure("not_found", `There is no file ${shown}. Nothing was changed.`);
  const editable = editableText(path, content);
  const text = applyHunks(editable.text, file);
  if (file.newPath !== undefined) return editable.bytesOf(text);
  if (text !== "")
    throw new ToolFailure("no_match", `The patch deletes ${shown} without all of its lines. Nothing was changed.`);
  return undefined;
}

/** Each hunk is looked for in the whole rest of its file: so many lines are compared in about a quarter of a second. */
const MOST_COMPARED = 20_000_000;

/**
 * The text with all hunks of a file applied, each where its old lines stand; of several such places the one nearest to the line that the
 * hunk names, behind the hunk before.
 * @throws {ToolFailure} `no_match`, `many_matches` or `too_large`
 */
function applyHunks(text: string, { hunks, newPath = "", finalBreak }: FilePatch): string {
  const endsInBreak = text === "" || text.endsWith("\n");
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const name = JSON.stringify(newPath);
  if (hunks.length * lines.length > MOST_COMPARED) {
    throw new ToolFailure(
      "too_large",
      `The patch has too many hunks for the ${lines.length} lines of ${name}: give fewer. Nothing was changed.`,
    );
  }
  const parts: (readonly string[])[] = [];
  let done = 0;
  for (const [index, hunk] of hunks.entries()) {
    const at = placeOf(lines, hunk, done, `hunk ${index + 1} of ${name}`);
    parts.push(lines.slice(done, at), hunk.after);
    done = at + hunk.before.length;
  }
  const last = hunks.at(-1);
  const endIsNew = done === lines.length && last?.before.at(-1) !== last?.after.at(-1);
  const withBreak = (done === lines.length ? finalBreak : undefined) ?? (endIsNew || endsInBreak);
  const result = [...parts, lines.slice(done)].flat();
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
  const places = placesOf(lines, before, { from, overlapping: true });
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
