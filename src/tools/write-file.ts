import { z } from "zod";
import { changeFiles, type EditDependencies, knownContent, requirePath } from "./edit/change-files.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({
  path: z.string().min(1).describe("Path from the root of the repository; folders that are missing are made"),
  content: z.string().max(1_000_000).describe("The whole text of the file"),
});
type Input = z.infer<typeof Input>;

export function writeFile(dependencies: EditDependencies): Tool<Input> {
  return {
    name: "write_file",
    description:
      "Writes a whole file: a new one, or one that you have read and want to replace entirely. Where only a part of a file is to change, a tool that replaces just that cannot lose the rest. A file that exists must have been read since it last changed.",
    inputSchema: Input,
    readOnly: false,
    timeoutMs: 30_000,
    run: async ({ path, content }, { signal }) => {
      const clean = requirePath(path);
      const before = await knownContent(dependencies, clean, signal);
      await changeFiles(dependencies, [{ path: clean, content: Buffer.from(content) }], signal);
      const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length;
      return {
        text: `${before === undefined ? "Created" : "Replaced"} ${JSON.stringify(clean)}: ${lines} lines.`,
        metrics: { lines },
      };
    },
  };
}
