import { z } from "zod";
import { applyHunks } from "./edit/apply-hunks.ts";
import {
  changeFiles,
  type EditDependencies,
  knownContent,
  type PlannedChange,
  requirePath,
} from "./edit/change-files.ts";
import { editableText } from "./edit/editable-text.ts";
import { type FilePatch, parsePatch } from "./edit/parse-patch.ts";
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
      const said: string[] = [];
      for (const file of parsePatch(patch)) {
        const path = requirePath(file.newPath ?? file.oldPath ?? "");
        if (planned.some((each) => each.path === path)) {
          throw new ToolFailure(
            "bad_patch",
            `${JSON.stringify(path)} stands in the patch twice: put its hunks together. Nothing was changed.`,
          );
        }
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
