import { constants } from "node:fs";
import { type FileHandle, open, readdir, readFile, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isForgeBranch } from "../../domain/branch-name.ts";
import { ForgeError } from "../../domain/errors.ts";
import { NotBeneath, openFolderBeneath } from "../files/open-beneath.ts";
import type { GitResult } from "../git.ts";
import { requireObjectId } from "../revision.ts";
import { indexPack } from "../working-tree/git-object.ts";
import type { PushOutcome } from "../working-tree/push-branch.ts";
import type { TreeSnapshot } from "../working-tree/snapshot.ts";
import { askGit } from "./ask-git.ts";
import type { Checkout } from "./checkout.ts";
import { openView } from "./open-view.ts";
import { readPlainText } from "./plain-file.ts";
import { readHead, readReferences } from "./read-references.ts";

/** Where a local branch stands; null when there is none. `branch` comes without `refs/heads/`. */
export async function readLocalBranch({ commonDirectory }: Checkout, branch: string): Promise<string | null> {
  const { targets } = await readReferences(commonDirectory);
  return targets.get(`refs/heads/${branch}`) ?? null;
}

/** Local branches that Forge could have made, by name. */
export async function listForgeBranches(checkout: Checkout): Promise<string[]> {
  const list = ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/forge/"];
  const names = await askGit(checkout, (git) => git.raw(list));
  return names.split("\n").filter((name) => name !== "");
}

export interface LocalPush {
  readonly checkout: Checkout;
  /** As `branchName` gives it. */
  readonly branch: string;
  readonly sha: string;
  /** Where the commits come from. */
  readonly snapshot?: Pick<TreeSnapshot, "pack"> | undefined;
  /** The expected commit of the branch; null when it must not exist. */
  readonly expected: string | null;
  readonly signal: AbortSignal;
}

/**
 * Puts commits into the checkout's own store, and the branch at the last of them, only if it is where it is believed to be. Neither files nor
 * index are touched, and no hook is run; a branch that is checked out somewhere is left alone. Safe to repeat.
 * @throws ForgeError `branch_refused`, `invalid_revision`; the signal's reason
 */
export async function pushToCheckout(push: LocalPush): Promise<PushOutcome> {
  const { checkout, branch, snapshot, expected, signal } = push;
  const sha = requireObjectId(push.sha);
  if (!isForgeBranch(branch)) {
    const message = `Forge does not write a branch of this name: ${JSON.stringify(branch.slice(0, 100))}.`;
    throw new ForgeError("branch_refused", message, { source: "validation", severity: "high", recoverability: "none" });
  }
  if (snapshot !== undefined && snapshot.pack.length > 0) {
    const read = await putPack(checkout, snapshot.pack, signal);
    signal.throwIfAborted();
    if (!read.ok) return { outcome: "refused", reason: said(read.errorText) };
  }
  const now = await readLocalBranch(checkout, branch);
  if (now === sha) return { outcome: "already" };
  if (now !== expected) return { outcome: "moved", sha: now };
  const place = await placeOf(checkout, branch);
  if (place !== undefined) {
    return { outcome: "refused", reason: said(`it is checked out in ${place}; switch to another branch there`) };
  }
  signal.throwIfAborted();
  const moved = await moveBranch(checkout, { branch, to: sha, expected });
  if (moved === "moved") return { outcome: "pushed" };
  if (moved === "elsewhere") return { outcome: "moved", sha: await readLocalBranch(checkout, branch) };
  return { outcome: "refused", reason: said(moved.refused) };
}

/** The worktree that has a branch checked out. */
async function placeOf({ commonDirectory }: Checkout, branch: string): Promise<string | undefined> {
  const worktrees = join(commonDirectory, "worktrees");
  const names = await readdir(worktrees).catch(() => []);
  const places = names.map((name) => join(worktrees, name));
  for (const place of [commonDirectory, ...places]) {
    const head = await readHead(place);
    if (head === undefined || !("ref" in head) || head.ref !== `refs/heads/${branch}`) continue;
    return dirname(place === commonDirectory ? place : (await readPlainText(join(place, "gitdir"))).trim());
  }
  return undefined;
}

function said(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}

/** The index comes last: only with it git sees the pack. */
const PARTS = ["pack", "rev", "idx"] as const;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Puts a pack among a checkout's objects. Git checks it in a view; the checkout gets the files, never through a link.
 * @throws NotBeneath where the folder of packs is a link
 */
async function putPack(checkout: Checkout, pack: Buffer, signal: AbortSignal): Promise<GitResult> {
  await using view = await openView(checkout);
  const read = await indexPack(view.gitDirectory, pack, signal);
  if (!read.ok) return read;
  const made = join(view.gitDirectory, "objects", "pack");
  const names = await readdir(made);
  await using folder = await openFolderBeneath(checkout.objects, ["pack"], { create: true });
  const there = new Set(await readdir(folder.at));
  for (const part of PARTS) {
    for (const name of names.filter((found) => found.endsWith(`.${part}`) && !there.has(found))) {
      await put(join(folder.at, name), await readFile(join(made, name)));
    }
  }
  return read;
}

async function put(path: string, content: Buffer): Promise<void> {
  const fresh = `${path}.forge-${process.pid}`;
  await using file = await open(fresh, CREATE, 0o444);
  try {
    await file.writeFile(content);
    await file.sync();
    await rename(fresh, path);
  } catch (error) {
    await unlink(fresh).catch(() => undefined);
    throw error;
  }
}

interface BranchMove {
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly to: string;
  /** Null when it must not exist. */
  readonly expected: string | null;
}

type Moved = "moved" | "elsewhere" | { readonly refused: string };

const APPEND =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * What `git update-ref --no-deref` does, by git's own protocol of lock files, without the repository's configuration and hooks, and never
 * through a link. `elsewhere`: the branch is not where it is expected.
 */
async function moveBranch({ commonDirectory }: Checkout, move: BranchMove): Promise<Moved> {
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
