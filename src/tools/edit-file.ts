import { z } from "zod";
import type { Redact } from "../safety/redact.ts";
import { changeFiles, type EditDependencies, knownContent, requirePath } from "./edit/change-files.ts";
import { showAround } from "./edit/changed-lines.ts";
import { editableText } from "./edit/editable-text.ts";
import { replaceExactly } from "./edit/replace-exactly.ts";
import { type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  path: z.string().min(1).describe("Path from the root of the repository"),
  old_text: z
    .string()
    .min(1)
    .max(200_000)
    .describe("The text to replace, exactly as it stands in the file, with its indentation, without line numbers"),
  new_text: z.string().max(200_000).describe("What stands there afterwards; empty to delete"),
  replace_all: z.boolean().default(false).describe("Replace every occurrence instead of the only one"),
});
type Input = z.infer<typeof Input>;

export function editFile(dependencies: EditDependencies & { readonly redact: Redact }): Tool<Input> {
  return {
    name: "edit_file",
    description:
      "Replaces a text in a file by another, exactly. The file must have been read since it last changed, and old_text must stand in it once: give enough lines around it, or set replace_all. Gives the changed lines as they read now.",
    inputSchema: Input,
    readOnly: false,
    timeoutMs: 30_000,
    run: async ({ path, old_text, new_text, replace_all }, { signal }) => {
      const clean = requirePath(path);
      const content = await knownContent(dependencies, clean, signal);
      if (content === undefined) {
        throw new ToolFailure("not_found", `There is no file ${JSON.stringify(clean)}: use write_file for a new one.`);
      }
      const editable = editableText(clean, content);
      const edited = replaceExactly(editable.text, old_text, new_text, replace_all);
      await changeFiles(dependencies, [{ path: clean, content: editable.bytesOf(edited.text) }], signal);
      const place = { line: edited.line, lines: new_text.split("\n").length };
      const said = edited.count === 1 ? "Replaced one place" : `Replaced ${edited.count} places, the first`;
      return {
        text: `${said} at line ${edited.line}.\n${showAround(clean, edited.text, place, dependencies.redact)}`,
        metrics: { replaced: edited.count },
      };
    },
  };
}
