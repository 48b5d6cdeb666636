// What the check asks of Git and of the file system.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Added lines by path: their numbers, or `"all"` for a file that Git does not track yet. */
export type AddedLines = ReadonlyMap<string, ReadonlySet<number> | "all">;

/** The files of the repository in `folder`: tracked files and new files that are not ignored. */
export function filesOfRepository(folder: string): string[] {
  const listed = [...list(folder, "--cached"), ...list(folder, "--others", "--exclude-standard")];
  return [...new Set(listed)].filter((path) => existsSync(join(folder, path))).sort();
}

/** A file as it is, a folder as all files in it. Throws if the path does not exist. */
export function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "node_modules" && name !== ".git")
    .flatMap((name) => filesAt(join(path, name)));
}

/** The commit at which the current branch left `main`, or undefined where Git knows no `main`. */
export function baseOfBranch(folder: string): string | undefined {
  for (const branch of ["main", "origin/main"]) {
    try {
      return git(folder, "merge-base", "HEAD", branch).trim();
    } catch {
      // A shallow clone of one branch has neither: then nothing is known to be new.
    }
  }
  return undefined;
}

/** The lines that the working tree has added since the commit `base`. Throws if Git does not know the commit. */
export function addedSince(folder: string, base: string): AddedLines {
  const added = new Map<string, Set<number> | "all">();
  let lines = new Set<number>();
  const options = ["-U0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/", "--relative"];
  for (const row of git(folder, "diff", ...options, "--end-of-options", base).split("\n")) {
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(row);
    if (row.startsWith("+++ b/")) {
      lines = new Set();
      added.set(row.slice("+++ b/".length).replace(/\t$/, ""), lines);
    } else if (hunk !== null) {
      const first = Number(hunk[1]);
      for (let line = first; line < first + Number(hunk[2] ?? 1); line += 1) lines.add(line);
    }
  }
  for (const path of list(folder, "--others", "--exclude-standard")) added.set(path, "all");
  return added;
}

function list(folder: string, ...options: string[]): string[] {
  return git(folder, "ls-files", "-z", ...options)
    .split("\0")
    .filter((path) => path !== "");
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "core.quotePath=false", ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
}
