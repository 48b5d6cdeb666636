import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "../domain/defined.ts";
import { runGit } from "./git.ts";

/** The contents of a mirror's folder: the repository itself and Forge's notes beside it, out of git's reach. */
export interface MirrorPlaces {
  readonly directory: string;
  readonly gitDirectory: string;
  readonly lock: string;
  /** Its time of change says when the mirror was last used. */
  readonly used: string;
  /** Exists while a fetch runs: found without one, that fetch was killed. */
  readonly fetching: string;
  /** Exists when git could not read the mirror: it is built anew before its next use. */
  readonly suspect: string;
  /** What was worked out from the history. */
  readonly learnt: string;
  /** Folder of objects of a repository of this machine, absolute: what it holds need not be fetched. */
  readonly lender?: string;
}

export function mirrorPlaces(root: string, repositoryId: string, lender?: string): MirrorPlaces {
  const directory = join(root, repositoryId);
  return {
    directory,
    gitDirectory: join(directory, "mirror.git"),
    lock: join(directory, "lock"),
    used: join(directory, "used"),
    fetching: join(directory, "fetching"),
    suspect: join(directory, "suspect"),
    learnt: join(directory, "learnt.json"),
    ...defined({ lender }),
  };
}

/** The whole of a mirror's own configuration and entries; everything else found there was put there by somebody else. */
const FIXED_FILES = {
  HEAD: "ref: refs/heads/main\n",
  config: "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
} as const;
const EXPECTED_ENTRIES = new Set([...Object.keys(FIXED_FILES), "objects", "refs", "packed-refs"]);

/** Brings the mirror into the state git may be started on. Call it with the lock held, before every use. */
export async function prepareMirror(places: MirrorPlaces): Promise<void> {
  if (await exists(places.suspect)) await removeRepository(places);
  await layOut(places);
  const killed = await exists(places.fetching);
  if (killed) {
    await removeLocks(places.gitDirectory);
    if (!(await isReadable(places))) await rebuildMirror(places);
    await rm(places.fetching, { force: true });
  }
}

/** Throws the cached objects away and starts empty. */
export async function rebuildMirror(places: MirrorPlaces): Promise<void> {
  await removeRepository(places);
  await layOut(places);
}

/** Whether everything that references point to can be read, as far as a blob-less mirror holds it. */
export async function isReadable(places: MirrorPlaces): Promise<boolean> {
  const { gitDirectory } = places;
  const references = await runGit({ gitDirectory, args: ["for-each-ref", "--format=%(objectname)"] });
  const tips = references.stdout.toString().trim();
  if (!references.ok) return false;
  if (tips === "") return true;
  const present = await runGit({ gitDirectory, args: ["cat-file", "--batch-check"], input: `${tips}\n` });
  if (!present.ok || present.stdout.toString().includes("missing")) return false;
  const args = ["rev-list", "--all", "--objects", "--filter=blob:none", "--max-count=50", "--quiet"];
  return (await runGit({ gitDirectory, args })).ok;
}

/** A fetch that was ended leaves what it had received so far. */
export async function removeUnfinishedPacks(gitDirectory: string): Promise<void> {
  const folder = join(gitDirectory, "objects", "pack");
  const unfinished = (await readdir(folder)).filter((name) => name.startsWith("tmp_"));
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
}

async function layOut({ gitDirectory, lender }: MirrorPlaces): Promise<void> {
  await mkdir(join(gitDirectory, "objects", "pack"), { recursive: true });
  await mkdir(join(gitDirectory, "refs"), { recursive: true });
  const entries = await readdir(gitDirectory);
  const planted = entries.filter((name) => !EXPECTED_ENTRIES.has(name));
  await Promise.all(planted.map((name) => rm(join(gitDirectory, name), { recursive: true, force: true })));
  // Alternates make objects of another repository, or of any folder, part of this one: only the lender's may be.
  const information = join(gitDirectory, "objects", "info");
  if (lender === undefined) await rm(information, { recursive: true, force: true });
  else await mkdir(information, { recursive: true });
  if (lender !== undefined) await restore(join(information, "alternates"), `${lender}\n`);
  await Promise.all(Object.entries(FIXED_FILES).map(([name, text]) => restore(join(gitDirectory, name), text)));
}

async function restore(path: string, text: string): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found === text) return;
  await rm(path, { recursive: true, force: true });
  await writeFile(path, text);
}

async function removeRepository(places: MirrorPlaces): Promise<void> {
  // Renamed first: a removal that is killed half-way must not leave half a repository under the name in use.
  const doomed = `${places.gitDirectory}.doomed`;
  await rm(doomed, { recursive: true, force: true });
  if (await exists(places.gitDirectory)) await rename(places.gitDirectory, doomed);
  await rm(doomed, { recursive: true, force: true });
  await rm(places.suspect, { force: true });
}

async function removeLocks(gitDirectory: string): Promise<void> {
  await removeUnfinishedPacks(gitDirectory);
  const references = await readdir(join(gitDirectory, "refs"), { recursive: true });
  const locks = references.filter((name) => name.endsWith(".lock"));
  await Promise.all(locks.map((name) => rm(join(gitDirectory, "refs", name), { force: true })));
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code === "EISDIR",
  );
}
