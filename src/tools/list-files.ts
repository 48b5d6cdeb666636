import { z } from "zod";
import { cleanPath } from "../workspace/files/clean-path.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { listing } from "./data/show-text.ts";
import { given, type Tool, ToolFailure } from "./tool.ts";

const Input = z.object({
  path: z.string().default("").describe("A folder from the root of the repository; the root itself when not given"),
  depth: z.number().int().min(1).max(20).default(2).describe("How many levels of folders to open, 2 when not given"),
  from_entry: z.number().int().min(1).default(1).describe("For a list that was cut: the entry to go on from"),
});
type Input = z.infer<typeof Input>;

export function listFiles(files: RepositoryFiles): Tool<Input> {
  return {
    name: "list_files",
    description:
      "Lists the files and folders below a folder of the repository. Use it to find your way; to find files by name use glob, to find text use grep. A folder that was not opened ends with a slash and says how many files are in it. Dependencies (node_modules and the like) and what belongs to git are not listed.",
    inputSchema: Input,
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
