import { z } from "zod";
import { compileGlob } from "../domain/globs/compile-glob.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { takeTurns } from "../workspace/files/turns.ts";
import { listing } from "./data/show-text.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  pattern: z.string().min(1).max(300).describe("Such as src/**/*.test.ts or **/package.json; {a,b} for alternatives"),
  path: z.string().default("").describe("A folder to look in; the whole repository when not given"),
  from_entry: z.number().int().min(1).default(1).describe("For a list that was cut: the entry to go on from"),
});
type Input = z.infer<typeof Input>;

/** A letter of a path against the longest glob there can be, where looking at one takes a unit. */
const UNITS_OF_LETTER = 64;

export function glob(files: RepositoryFiles): Tool<Input> {
  return {
    name: "glob",
    description:
      "Finds files of the repository by a pattern on their path. `*` stands for anything within a name, `**` for any folders, `?` for one character, `{ts,tsx}` for either. A pattern without a slash is looked for in every folder. Gives paths, sorted.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 30_000,
    run: async ({ pattern, path: folder, from_entry }, { signal }) => {
      const within = folder.replace(/^(?:\.?\/)+|\/+$/g, "");
      const compiled = compileGlob(pattern);
      if ("fault" in compiled) throw new ToolFailure("bad_pattern", `The pattern ${compiled.fault}.`);
      const { paths, truncated } = given(await files.list(signal));
      const turn = takeTurns();
      const entries: string[] = [];
      for (const path of paths) {
        await turn(path.length * UNITS_OF_LETTER);
        if (within !== "" && !path.startsWith(`${within}/`)) continue;
        const below = { below: pattern.endsWith("/") };
        // Meant from the root, or from the folder.
        const matches =
          compiled.matches(path, below) || (within !== "" && compiled.matches(path.slice(within.length + 1), below));
        if (matches) entries.push(path);
      }
      if (entries.length === 0) return { text: "No file matches.", metrics: { entries: 0 } };
      return listing({
        from: `${entries.length} files that match ${pattern}`,
        entries,
        fromEntry: from_entry,
        ...(truncated ? { note: "The repository has more files than could be looked at." } : {}),
      });
    },
  };
}
