import { FILE_LIMITS, type FileRefusal, refuseFile } from "./repository-files.ts";

export interface CleanPath {
  readonly ok: true;
  /** Relative to the root, `/` between names; empty for the root itself. */
  readonly path: string;
  readonly parts: readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNWRITABLE = /[\u0000-\u001f\u007f\p{Cf}\p{DI}\u2028\u2029]/u;

/**
 * A path from a model as names below the root, without touching the disk: relative, without `..`, and never into `.git` in any spelling
 * that some file system takes for it. `./` at the front and a slash at the end are forgiven.
 */
export function cleanPath(given: string): CleanPath | FileRefusal {
  const shown = JSON.stringify(given.slice(0, 200));
  if (!given.isWellFormed() || given.includes("\0")) {
    return refuseFile("invalid path", `${shown} is no path: it holds characters that no path can hold.`);
  }
  if (Buffer.byteLength(given) > FILE_LIMITS.pathBytes) {
    return refuseFile("invalid path", `${shown}... is too long for a path (at most ${FILE_LIMITS.pathBytes} bytes).`);
  }
  const parts = given.split("/").filter((part) => part !== "" && part !== ".");
  const path = parts.join("/");
  if (given.startsWith("/") || /^(?:[A-Za-z]:[\\/]|~)/.test(path)) {
    return refuseFile(
      "invalid path",
      `${shown} is not relative: give paths from the root of the repository, such as src/a.ts.`,
    );
  }
  if (path.startsWith('"')) {
    return refuseFile(
      "invalid path",
      `${shown} has a name that is not UTF-8 or begins with a quote: such files cannot be asked for.`,
    );
  }
  if (parts.includes("..")) {
    return refuseFile(
      "invalid path",
      `${shown} leads upwards: give paths from the root of the repository, without "..".`,
    );
  }
  if (parts.some(isGitName)) {
    return refuseFile("git's own", `${shown} belongs to git and is not a file of the repository: use the git tools.`);
  }
  return { ok: true, path, parts };
}

/** Names for new files have more rules than names of existing ones: nothing that hides, and nothing that a shell or a tool takes for an option. */
export function refuseNewName({ path, parts }: CleanPath): FileRefusal | undefined {
  const shown = JSON.stringify(path.slice(0, 200));
  if (parts.length === 0) return refuseFile("invalid path", "The path is empty: name a file.");
  if (UNWRITABLE.test(path) || path.includes("\\")) {
    return refuseFile(
      "invalid path",
      `${shown} holds control or invisible characters or a backslash: choose another name.`,
    );
  }
  if (parts.some((part) => part.startsWith("-") || part.endsWith(" ") || part.endsWith(".") || part.length > 200)) {
    return refuseFile(
      "invalid path",
      `${shown} holds a name that begins with "-", ends with a dot or a space, or is longer than 200 characters.`,
    );
  }
  return undefined;
}

/** Nothing in it is invisible or another way to write a letter: almost all names there are. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Whether a file system could take the name for `.git`: Windows drops trailing dots, spaces and what follows a colon and knows short
 * names (`GIT~1`), macOS ignores letter case and characters that are not seen.
 */
export function isGitName(name: string): boolean {
  if (PLAIN.test(name) && !/git/i.test(name)) return false;
  const visible = name
    .replace(/[\p{Cf}\p{DI}]/gu, "")
    .normalize("NFKC")
    .toLowerCase();
  const [beforeColon = ""] = visible.split(":");
  let end = beforeColon.length;
  while (end > 0 && ". ".includes(beforeColon[end - 1]!)) end -= 1;
  const trimmed = beforeColon.slice(0, end);
  return trimmed === ".git" || /^git~\d+$/.test(trimmed);
}
