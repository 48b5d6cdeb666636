import { z } from "zod";
import { compileGlob } from "../domain/globs/compile-glob.ts";
import { trimEndOf } from "../domain/trim-characters.ts";
import { cleanPath } from "../workspace/files/clean-path.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { takeTurns } from "../workspace/files/turns.ts";
import { listing } from "./data/show-text.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const ListInput = z.object({
  path: z.string().default("").describe("A folder from the root of the repository; the root itself when not given"),
  depth: z.number().int().min(1).max(20).default(2).describe("How many levels of folders to open, 2 when not given"),
  from_entry: z.number().int().min(1).default(1).describe("For a list that was cut: the entry to go on from"),
});
type ListInput = z.infer<typeof ListInput>;

export function listFiles(files: RepositoryFiles): Tool<ListInput> {
  return {
    name: "list_files",
    description:
      "Lists the files and folders below a folder of the repository. Use it to find your way; to find files by name use glob, to find text use grep. A folder that was not opened ends with a slash and says how many files are in it. Dependencies (node_modules and the like) and what belongs to git are not listed.",
    inputSchema: ListInput,
    readOnly: true,
    timeoutMs: 30_000,
    run: async ({ path, depth, from_entry }, { signal }) => {
      const folder = given(cleanPath(path));
      const { paths, truncated } = given(await files.list(signal));
      const prefix = folder.path === "" ? "" : `${folder.path}/`;
      const inside = paths.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
      if (inside.length === 0) {
        const kind = paths.includes(folder.path)
          ? "is a file: use read_file for it"
          : "does not exist or holds no files";
        throw new ToolFailure("not_found", `${JSON.stringify(folder.path || ".")} ${kind}.`);
      }
      return listing({
        from: `files below ${folder.path || "the root"}`,
        entries: fold(inside, depth),
        fromEntry: from_entry,
        ...(truncated ? { note: "The repository has more files than could be listed." } : {}),
      });
    },
  };
}

/** Paths deeper than so many folders are counted under the last folder that is shown. */
function fold(paths: readonly string[], depth: number): string[] {
  const entries = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split("/");
    const entry = parts.length <= depth ? path : `${parts.slice(0, depth).join("/")}/`;
    entries.set(entry, (entries.get(entry) ?? 0) + 1);
  }
  return [...entries].map(([entry, count]) =>
    entry.endsWith("/") ? `${entry} (${count} ${count === 1 ? "file" : "files"})` : entry,
  );
}

const GlobInput = z.object({
  pattern: z.string().min(1).max(300).describe("Such as src/**/*.test.ts or **/package.json; {a,b} for alternatives"),
  path: z.string().default("").describe("A folder to look in; the whole repository when not given"),
  from_entry: z.number().int().min(1).default(1).describe("For a list that was cut: the entry to go on from"),
});
type GlobInput = z.infer<typeof GlobInput>;

/** A letter of a path against the longest glob there can be, where looking at one takes a unit. */
const UNITS_OF_LETTER = 64;

export function glob(files: RepositoryFiles): Tool<GlobInput> {
  return {
    name: "glob",
    description:
      "Finds files of the repository by a pattern on their path. `*` stands for anything within a name, `**` for any folders, `?` for one character, `{ts,tsx}` for either. A pattern without a slash is looked for in every folder. Gives paths, sorted.",
    inputSchema: GlobInput,
    readOnly: true,
    timeoutMs: 30_000,
    run: async ({ pattern, path: folder, from_entry }, { signal }) => {
      const within = trimEndOf(folder.replace(/^(?:\.?\/)+/, ""), "/");
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
