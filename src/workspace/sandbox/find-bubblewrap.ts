import { constants, lstatSync } from "node:fs";
import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { findProgram } from "../find-program.ts";

/** The bubblewrap that Forge fetched, below one of its folders for programs: the package as it was unpacked. */
export const UNPACKED = "bubblewrap";

/** Loaders of programs, and where Debian and Ubuntu keep libraries: the same on every machine of that kind. */
const LOADERS: Readonly<Partial<Record<NodeJS.Architecture, { loader: string; triplet: string }>>> = {
  x64: { loader: "/lib64/ld-linux-x86-64.so.2", triplet: "x86_64-linux-gnu" },
  arm64: { loader: "/lib/ld-linux-aarch64.so.1", triplet: "aarch64-linux-gnu" },
};

/** The command line that bubblewrap starts with: the machine's own, or the one that Forge fetched. Undefined where there is neither. */
export async function findBubblewrap(): Promise<readonly string[] | undefined> {
  const ofMachine = await findProgram("bwrap");
  if (ofMachine !== undefined) return [ofMachine];
  for (const folder of programFolders()) {
    const fetched = join(folder, UNPACKED);
    if (isOurs(folder) && isOurs(fetched) && (await canRun(programIn(fetched)))) return startUnpacked(fetched);
  }
  return undefined;
}

/** How an unpacked package is started: by itself, or by way of the loader where its libraries were unpacked with it. */
export async function startUnpacked(folder: string): Promise<readonly string[]> {
  const place = LOADERS[process.arch];
  const program = programIn(folder);
  if (place === undefined) return [program];
  const libraries = ["lib", "usr/lib"].map((path) => join(folder, path, place.triplet));
  const given = await Promise.all(libraries.map((path) => exists(path)));
  if (!given.some(Boolean)) return [program];
  return [place.loader, "--library-path", libraries.join(":"), program];
}

function programIn(folder: string): string {
  return join(folder, "usr", "bin", "bwrap");
}

async function canRun(program: string): Promise<boolean> {
  if (!isOurs(program) || !isOurs(dirname(program))) return false;
  return exists(program, constants.X_OK);
}

function exists(path: string, mode?: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

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
function programFolders(): string[] {
  const own = ownProgramsFolder();
  return [...new Set([...(own === undefined ? [] : [own]), CACHE_OF_MACHINE])];
}

/** Whether only root and this user can have written or can change it. */
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
