import { tmpdir } from "node:os";
import { isForgeBranch } from "../../domain/branch-name.ts";
import { ForgeError, RetryLater } from "../../domain/errors.ts";
import { gitFailure } from "../failure.ts";
import { type GitResult, runGit } from "../git.ts";
import { FETCH_MEMORY_BYTES } from "../limits.ts";
import type { Mirror } from "../mirror.ts";
import type { RemoteAccess } from "../remote-access.ts";
import { removeFolder } from "../remove-folder.ts";
import { requireObjectId, requireReference } from "../revision.ts";
import { indexPack } from "./git-object.ts";
import { layOutGit, openPrivateGit, type PrivateGit, treeUnavailable } from "./private-git.ts";
import type { TreeSnapshot } from "./snapshot.ts";

export interface PushSpec {
  readonly mirror: Mirror;
  /** With a token that may write contents; the mirror's own need not. */
  readonly remote: RemoteAccess;
  /** As `branchName` gives it, without `refs/heads/`; any other name only with `theirs`. */
  readonly branch: string;
  /** The branch is one of people, to which Forge was asked to add a commit. It is never made, only moved forward. */
  readonly theirs?: boolean | undefined;
  readonly sha: string;
  /** Where the commit comes from; without it the mirror has it, or the server gives it. */
  readonly snapshot?: Pick<TreeSnapshot, "base" | "merged" | "pack"> | undefined;
  /** The expected commit of the branch; null when it must not exist. */
  readonly expected: string | null;
  readonly signal: AbortSignal;
}

export type PushOutcome =
  | { readonly outcome: "pushed" }
  /** The branch was at this commit before: an earlier push arrived, though its answer may not have. */
  | { readonly outcome: "already" }
  /** Somebody else moved, made or deleted (null) the branch, or ours does not contain what it is at: nothing was changed. */
  | { readonly outcome: "moved"; readonly sha: string | null }
  /** The server does not take it: a protected branch, a rule, a hook, or a permission that is missing. At most 300 characters. */
  | { readonly outcome: "refused"; readonly reason: string };

const PUSH_TIME_MS = 5 * 60_000;

/**
 * Pushes one commit to one of Forge's branches, or to one of people that it was asked to add to, and only if the branch is where it is believed
 * to be and the commit contains that: whatever somebody else pushed there stays. Safe to repeat.
 * @throws ForgeError `github_unavailable` when there was no answer, `branch_refused`, `invalid_revision`, `working_tree_unavailable`
 * when the commit cannot be put together; the signal's reason
 */
export async function pushBranch(spec: PushSpec): Promise<PushOutcome> {
  const { mirror, remote, branch, snapshot, expected, signal } = spec;
  const sha = requireObjectId(spec.sha);
  if (expected !== null) requireObjectId(expected);
  if (spec.theirs) requireReference(`refs/heads/${branch}`);
  if (spec.theirs ? expected === null : !isForgeBranch(branch)) throw notOurs(branch);
  await using git = await openPrivateGit(mirror, tmpdir(), signal);
  const needs = snapshot === undefined ? [sha] : [snapshot.base, ...snapshot.merged];
  if (snapshot !== undefined && snapshot.pack.length > 0) {
    const read = await indexPack(git.gitDirectory, snapshot.pack, signal);
    if (!read.ok) throw treeUnavailable(gitFailure("Reading the commits to push", read));
  }
  const { result } = await git.hold(needs, () => push(git, { ...spec, sha }));
  if (result === undefined) {
    const now = await readRemoteBranch({ remote, branch, signal });
    return now === sha ? { outcome: "already" } : { outcome: "moved", sha: now };
  }
  const lines = result.stdout.toString().split("\n");
  if (result.ok) return { outcome: lines.some((line) => line.startsWith("=\t")) ? "already" : "pushed" };
  const rejected = lines.find((line) => line.startsWith("!\t"));
  if (rejected === undefined) {
    if (isForbidden(result)) return { outcome: "refused", reason: reasonOf(result, "") };
    throw serverFailure(result, signal);
  }
  // The words for a branch that moved are many, and a server may say none of them: where the branch is decides.
  const now = await readRemoteBranch({ remote, branch, signal });
  if (now === sha) return { outcome: "already" };
  if (now !== expected) return { outcome: "moved", sha: now };
  if (rejected.includes("[remote failure]")) throw serverFailure(result, signal);
  return { outcome: "refused", reason: reasonOf(result, rejected) };
}

async function push({ gitDirectory }: PrivateGit, { branch, sha, expected, remote, signal }: PushSpec) {
  const present = await runGit({ gitDirectory, args: ["cat-file", "-e", `${sha}^{commit}`], signal });
  if (!present.ok) return gitFailure("Finding the commit to push", present);
  if (expected !== null && expected !== sha) {
    const args = ["merge-base", "--is-ancestor", expected, sha];
    // 128: a commit that we do not even have.
    const contains = await runGit({ gitDirectory, args, okCodes: [0, 1, 128], signal });
    if (!contains.ok) return gitFailure("Comparing histories", contains);
    if (contains.code !== 0) return { ok: true, result: undefined } as const;
  }
  const reference = `refs/heads/${branch}`;
  const lease = `--force-with-lease=${reference}:${expected ?? ""}`;
  const plain = ["--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no", "--no-thin"];
  const result = await runGit({
    gitDirectory,
    args: ["push", "--porcelain", "--no-progress", ...plain, lease, "origin", `${sha}:${reference}`],
    settings: [
      // The base branch may have moved since: without asking what both have, git would send the whole history, which it has not.
      ["push.negotiate", "true"],
      ["pack.useSparse", "false"],
    ],
    remote,
    timeoutMs: PUSH_TIME_MS,
    memoryBytes: FETCH_MEMORY_BYTES,
    signal,
  });
  return { ok: true, result } as const;
}

/** The server's message for people, or else git's. */
function reasonOf({ errorText }: GitResult, rejected: string): string {
  const lines = errorText.split("\n");
  const said = lines.flatMap((line) => (line.startsWith("remote: ") ? [line.slice("remote: ".length)] : []));
  const inBrackets = /\(([^()]*)\)\s*$/.exec(rejected)?.[1];
  const text = said.some((line) => /\w/.test(line)) ? said.join(" ") : (inBrackets ?? lines.slice(-2).join(" "));
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^error: /, "")
    .trim()
    .slice(0, 300);
}

function notOurs(branch: string): ForgeError {
  const message = `Forge does not push to a branch of this name: ${JSON.stringify(branch.slice(0, 100))}.`;
  return new ForgeError("branch_refused", message, { source: "validation", severity: "high", recoverability: "none" });
}

interface RemoteBranch {
  readonly remote: RemoteAccess;
  /** Without `refs/heads/`. */
  readonly branch: string;
  readonly signal: AbortSignal;
}

/**
 * The commit at the head of a branch on the server now; null when there is no such branch.
 * @throws RetryLater `github_unavailable`; ForgeError `github_forbidden`, `invalid_revision`; the signal's reason
 */
export async function readRemoteBranch({ remote, branch, signal }: RemoteBranch): Promise<string | null> {
  const reference = requireReference(`refs/heads/${branch}`);
  const { directory, gitDirectory } = await layOutGit(tmpdir());
  try {
    const result = await runGit({ gitDirectory, args: ["ls-remote", "--refs", "origin", reference], remote, signal });
    if (!result.ok) throw serverFailure(result, signal);
    // The name is asked for as the end of one, so others may come with it.
    const lines = result.stdout.toString().trim().split("\n");
    const found = lines.map((line) => line.split("\t")).find(([, name]) => name === reference);
    return found?.[0] ?? null;
  } finally {
    await removeFolder(directory);
  }
}

/** Why git could not talk to the server, as the rest of Forge says it: `github_forbidden` only where asking again does not help. */
function serverFailure(result: GitResult, signal: AbortSignal): ForgeError {
  signal.throwIfAborted();
  const { reason, detail } = gitFailure("Talking to the server", result);
  if (isForbidden(result)) {
    return new ForgeError("github_forbidden", detail, {
      source: "permission",
      severity: "high",
      recoverability: "none",
    });
  }
  return new RetryLater("github_unavailable", detail, {
    source: "network",
    context: { cause: "unavailable", reason },
  });
}

/** A token that has just been made may not be known everywhere yet (401); one that may not do this is told so (403, 404). */
function isForbidden({ errorText }: GitResult): boolean {
  return /returned error: 40[34]|repository '[^'\n]*' not found/i.test(errorText) && !/rate limit/i.test(errorText);
}
