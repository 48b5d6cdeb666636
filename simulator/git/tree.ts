import { gitFact } from "./run-git.ts";

export interface TreeEntry {
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly sha: string;
  /** Bytes; null for what is no file. */
  readonly size: number | null;
  readonly path: string;
}

/** Entries of a commit or tree, all at the top or the named paths only (a trailing slash looks inside). */
export async function listTree(
  directory: string,
  treeish: string,
  paths: readonly string[] = [],
  recursive = false,
): Promise<TreeEntry[]> {
  const args = [
    "--literal-pathspecs",
    "ls-tree",
    "-l",
    "-z",
    ...(recursive ? ["-r", "-t"] : []),
    treeish,
    "--",
    ...paths,
  ];
  const lines = (await gitFact(directory, [treeish], args)).output.toString().split("\0").filter(Boolean);
  return lines.map((line) => {
    const [, mode = "", type, sha = "", size = "-", path = ""] =
      /^(\d+) (\w+) (\w+)\s+(\S+)\t([\s\S]*)$/.exec(line) ?? [];
    const known = type === "tree" || type === "commit" ? type : "blob";
    return { mode, type: known, sha, size: size === "-" ? null : Number(size), path };
  });
}
