import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";

/**
 * A folder with empty files of these names, below the folder where this process stands, or among temporary files where that cannot be
 * written to, as in the sandbox.
 */
export function layNames(paths: readonly string[]): string {
  const root = openFolder();
  const empty = join(root, ".forge-empty");
  writeFileSync(empty, "");
  const made = new Set<string>();
  for (const path of paths) {
    if (!isPlain(path)) continue;
    try {
      const folder = posix.dirname(path);
      if (!made.has(folder)) mkdirSync(join(root, folder), { recursive: true });
      made.add(folder);
      linkSync(empty, join(root, path));
    } catch {
      // A name that is too long for the system, or stands for a folder too: no import of it is found.
    }
  }
  return root;
}

/** Nothing but names: no way up, and none to elsewhere. */
export function isPlain(path: string): boolean {
  if (path === "" || path.includes("\0") || path.length > 1_024) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Gives a text to a file that was laid, or adds the file. */
export function writeLaid(root: string, path: string, text: string): void {
  if (!isPlain(path)) return;
  try {
    mkdirSync(join(root, posix.dirname(path)), { recursive: true });
    // What was laid is one empty file with many names.
    rmSync(join(root, path), { force: true });
    writeFileSync(join(root, path), text);
  } catch {
    // As above.
  }
}

/** As package managers link packages of a workspace. */
export function linkPackage(root: string, name: string, folder: string): void {
  const link = `node_modules/${name}`;
  if (!isPlain(link)) return;
  try {
    mkdirSync(join(root, posix.dirname(link)), { recursive: true });
    symlinkSync(join(root, folder), join(root, link));
  } catch {
    // The repository has the package itself there.
  }
}

function openFolder(): string {
  try {
    return realpathSync(mkdtempSync(join(process.cwd(), "names-")));
  } catch {
    return realpathSync(mkdtempSync(join(tmpdir(), "names-")));
  }
}
