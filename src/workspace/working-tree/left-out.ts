import { isGitName } from "../files/clean-path.ts";
import type { BytePath } from "./entries.ts";

/** Folders of installed or generated files that no repository means to have changed, whether its `.gitignore` says so or not. */
const INSTALLED = new Set(["node_modules", ".pnpm-store", ".venv", "__pycache__", ".hg", ".svn"]);

/** A name that is never looked into: of git's own in any spelling, or of packages that an installation put there. */
export function isLeftOutName(name: BytePath): boolean {
  return INSTALLED.has(name) || isGitName(Buffer.from(name, "latin1").toString("utf8"));
}

/** A path that the files on disk say nothing of: what the commit has there stays as it is. */
export function isLeftOut(path: BytePath): boolean {
  return path.split("/").some(isLeftOutName);
}

/** Whether a path may be written to disk: git itself refuses to check others out. */
export function isWritable(path: BytePath): boolean {
  const names = path.split("/");
  return !names.some((name) => name === "" || name === "." || name === ".." || name.includes("\0") || isGit(name));
}

function isGit(name: BytePath): boolean {
  return isGitName(Buffer.from(name, "latin1").toString("utf8"));
}
