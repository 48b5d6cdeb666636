import { constants } from "node:fs";
import { type FileHandle, open, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { NotBeneath, openFolderBeneath } from "../files/open-beneath.ts";
import type { Checkout } from "./checkout.ts";
import { readReferences } from "./read-references.ts";

export interface BranchMove {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly to: string;
  /** Null when it must not exist. */
  readonly expected: string | null;
}

export type Moved = "moved" | "elsewhere" | { readonly refused: string };

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const APPEND =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * What `git update-ref --no-deref` does, by git's own protocol of lock files, without the repository's configuration and hooks, and never
 * through a link. `elsewhere`: the branch is not where it is expected.
 */
export async function moveBranch({ commonDirectory }: Checkout, move: BranchMove): Promise<Moved> {
  const full = `refs/heads/${move.branch}`;
  const names = full.split("/");
  const name = names.pop() ?? "";
  const { targets } = await readReferences(commonDirectory);
  const inTheWay = [...targets.keys()].find((other) => other.startsWith(`${full}/`) || full.startsWith(`${other}/`));
  if (inTheWay !== undefined)
    return { refused: `'${inTheWay}' exists, and one of the two names lies within the other` };
  try {
    await using folder = await openFolderBeneath(commonDirectory, names, { create: true });
    const path = join(folder.at, name);
    const lock = `${path}.lock`;
    const file = await open(lock, CREATE, 0o666).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    if (!file) return { refused: `another git is at work on it: if none is, remove refs/heads/${move.branch}.lock` };
    try {
      return await moveLocked(commonDirectory, path, file, move);
    } finally {
      await file.close();
      await unlink(lock).catch(() => undefined);
    }
  } catch (error) {
    if (error instanceof NotBeneath)
      return { refused: `${error.path} is ${error.kind === "link" ? "a link" : "no folder"}` };
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { refused: `the file system refused it (${code})` };
  }
}

async function moveLocked(commonDirectory: string, path: string, lock: FileHandle, move: BranchMove): Promise<Moved> {
  const { targets, symbolic } = await readReferences(commonDirectory);
  const full = `refs/heads/${move.branch}`;
  const other = symbolic.get(full);
  if (other !== undefined) return { refused: `it stands for another reference, ${other}` };
  if ((targets.get(full) ?? null) !== move.expected) return "elsewhere";
  await lock.writeFile(`${move.to}\n`);
  await lock.sync();
  // Git leaves empty folders behind.
  await rmdir(path).catch(() => undefined);
  await rename(`${path}.lock`, path);
  await note(commonDirectory, full, move).catch(() => undefined);
  return "moved";
}

/** In the branch's log, from which people take back what they did not want; where that cannot be written, the branch is moved all the same. */
async function note(commonDirectory: string, full: string, { to, expected }: BranchMove): Promise<void> {
  const names = ["logs", ...full.split("/")];
  const name = names.pop() ?? "";
  await using folder = await openFolderBeneath(commonDirectory, names, { create: true });
  await using file = await open(join(folder.at, name), APPEND, 0o666);
  if (!(await file.stat()).isFile()) return;
  const seconds = Math.floor(Date.now() / 1000);
  await file.writeFile(
    `${expected ?? "0".repeat(to.length)} ${to} forge <forge@localhost> ${seconds} +0000\tforge run\n`,
  );
}
