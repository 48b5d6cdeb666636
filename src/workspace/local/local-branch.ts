import { isForgeBranch } from "../../domain/branch-name.ts";
import { ForgeError } from "../../domain/errors.ts";
import { runGit } from "../git.ts";
import { requireObjectId } from "../revision.ts";
import type { PushOutcome } from "../working-tree/push-branch.ts";
import type { TreeSnapshot } from "../working-tree/snapshot.ts";
import { indexPack } from "../working-tree/write-pack.ts";
import type { Checkout } from "./checkout.ts";

const NOTHING = "0".repeat(40);

/** Where a local branch stands; null when there is none. `branch` comes without `refs/heads/`. */
export async function readLocalBranch({ gitDirectory }: Checkout, branch: string): Promise<string | null> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `refs/heads/${branch}`];
  const result = await runGit({ gitDirectory, args, okCodes: [0, 1, 128] });
  const sha = result.stdout.toString("utf8").trim();
  return /^[0-9a-f]{40}$/.test(sha) ? sha : null;
}

/** Local branches that Forge could have made, by name. */
export async function listForgeBranches({ gitDirectory }: Checkout): Promise<string[]> {
  const args = ["for-each-ref", "--format=%(refname)", "refs/heads/forge/"];
  const { stdout } = await runGit({ gitDirectory, args });
  return stdout
    .toString("utf8")
    .split("\n")
    .filter((name) => name !== "")
    .map((name) => name.slice("refs/heads/".length));
}

export interface LocalPush {
  readonly checkout: Checkout;
  /** As `branchName` gives it. */
  readonly branch: string;
  readonly sha: string;
  /** Where the commits come from. */
  readonly snapshot?: Pick<TreeSnapshot, "pack"> | undefined;
  /** What we believe the branch to be at; null when it must not exist. */
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
  const { gitDirectory } = checkout;
  const sha = requireObjectId(push.sha);
  if (!isForgeBranch(branch)) {
    const message = `Forge does not write a branch of this name: ${JSON.stringify(branch.slice(0, 100))}.`;
    throw new ForgeError("branch_refused", message, { source: "validation", severity: "high", recoverability: "none" });
  }
  if (snapshot !== undefined && snapshot.pack.length > 0) {
    const read = await indexPack(gitDirectory, snapshot.pack, signal);
    signal.throwIfAborted();
    if (!read.ok) return { outcome: "refused", reason: said(read.errorText) };
  }
  const now = await readLocalBranch(checkout, branch);
  if (now === sha) return { outcome: "already" };
  if (now !== expected) return { outcome: "moved", sha: now };
  const place = await placeOf(checkout, branch);
  if (place !== undefined) {
    return { outcome: "refused", reason: `it is checked out in ${place}; switch to another branch there` };
  }
  const args = ["update-ref", "--no-deref", "-m", "forge run", `refs/heads/${branch}`, sha, expected ?? NOTHING];
  const moved = await runGit({ gitDirectory, args, signal });
  if (moved.ok) return { outcome: "pushed" };
  signal.throwIfAborted();
  const after = await readLocalBranch(checkout, branch);
  return after === expected ? { outcome: "refused", reason: said(moved.errorText) } : { outcome: "moved", sha: after };
}

/** The worktree that has a branch checked out. */
async function placeOf({ gitDirectory }: Checkout, branch: string): Promise<string | undefined> {
  const args = ["for-each-ref", "--format=%(worktreepath)", `refs/heads/${branch}`];
  const { stdout } = await runGit({ gitDirectory, args });
  return stdout.toString("utf8").trim() || undefined;
}

function said(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}
