import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where root keeps what it fetched: everybody may pass, the user that root becomes in the sandbox too. */
const CACHE_OF_MACHINE = "/var/cache/forge";

/** Forge's own folder for programs that it fetched, of this user; undefined where the user has no home to keep it in. */
export function ownProgramsFolder(): string | undefined {
  if (process.getuid?.() === 0) return CACHE_OF_MACHINE;
  const named = process.env.XDG_CACHE_HOME ?? "";
  if (isAbsolute(named)) return join(named, "forge");
  const home = homeFolder();
  return home === undefined ? undefined : join(home, ".cache", "forge");
}

/** Folders to look into: this user's own first, then what root fetched for everybody. */
export function programFolders(): string[] {
  const own = ownProgramsFolder();
  return [...new Set([...(own === undefined ? [] : [own]), CACHE_OF_MACHINE])];
}

/** Whether nobody but root and this user can have put something there or can change it. */
export function isOurs(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return false;
  return (stats.uid === 0 || stats.uid === process.geteuid?.()) && (stats.mode & 0o022) === 0;
}

function homeFolder(): string | undefined {
  try {
    return isAbsolute(homedir()) ? homedir() : undefined;
  } catch {
    // A user without an account, as services often have.
    return undefined;
  }
}
