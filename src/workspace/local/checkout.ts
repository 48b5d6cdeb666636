import { readFile, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { runGit } from "../git.ts";
import { findLocalRepository } from "./local-repository.ts";

/** A git checkout of this machine that work begins at and branches are put into. Its working tree and index are never touched. */
export interface Checkout {
  /** Of the worktree, where it is one of several. */
  readonly gitDirectory: string;
  /** Absolute, with links resolved. */
  readonly workTree: string;
  /** Shared by all worktrees of the repository. */
  readonly commonDirectory: string;
  readonly objects: string;
}

/**
 * The checkout that a folder is in.
 * @throws ForgeError `not_a_checkout`, and `checkout_unusable` for one whose objects cannot be read as they are: shallow, or with SHA-256
 */
export async function openCheckout(folder: string): Promise<Checkout> {
  const found = await findLocalRepository(await realpath(folder));
  if (!found) {
    const how = "Name a checkout with --repo, or make one of it: git init, git add, git commit.";
    throw refused("not_a_checkout", `${folder} is not in a git repository. ${how}`);
  }
  const { gitDirectory, workTree } = found;
  const named = await readFile(join(gitDirectory, "commondir"), "utf8").catch(() => ".");
  const commonDirectory = await realpath(resolve(gitDirectory, named.trim()));
  const objects = join(commonDirectory, "objects");
  if (/[\r\n]/.test(objects)) throw unusable(workTree, "its path has a line break");
  if (await exists(join(commonDirectory, "shallow"))) {
    throw unusable(workTree, "it is shallow, so a part of its history is missing: git fetch --unshallow");
  }
  const configuration = await readFile(join(commonDirectory, "config"), "utf8").catch(() => "");
  if (/^\s*objectformat\s*=\s*(?!sha1\b)\S/im.test(configuration)) {
    throw unusable(workTree, "its objects are not named by SHA-1");
  }
  return { gitDirectory, workTree, commonDirectory, objects };
}

/** What work begins at: the commit, and the name of its branch, or `HEAD` where none is checked out. */
export interface CheckoutBase {
  readonly ref: string;
  readonly sha: string;
}

/**
 * @param named a branch, a tag or a commit; what is checked out when left out
 * @throws ForgeError `base_not_found`
 */
export async function readCheckoutBase({ gitDirectory }: Checkout, named?: string): Promise<CheckoutBase> {
  const wanted = named ?? "HEAD";
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${wanted}^{commit}`];
  const result = await runGit({ gitDirectory, args, okCodes: [0, 1, 128] });
  const sha = result.stdout.toString("utf8").trim();
  if (!/^[0-9a-f]{40}$/.test(sha)) {
    const message =
      named === undefined
        ? "The repository has no commit yet: make a first one, so that there is something to begin at."
        : `There is no commit ${JSON.stringify(named)} here: name another with --base.`;
    throw refused("base_not_found", message);
  }
  if (named !== undefined) return { ref: named, sha };
  const branch = await runGit({ gitDirectory, args: ["symbolic-ref", "--quiet", "--short", "HEAD"], okCodes: [0, 1] });
  return { ref: branch.stdout.toString("utf8").trim() || "HEAD", sha };
}

/** Whether anything in the working tree or the index is not committed; files that git does not know count too. */
export async function hasLooseChanges({ gitDirectory, workTree }: Checkout): Promise<boolean> {
  const args = [`--work-tree=${workTree}`, "-C", workTree, "status", "--porcelain=v1", "-z"];
  // Told with git's own excludes and line ends left aside: it is a remark, nothing rests on it.
  const result = await runGit({ gitDirectory, args });
  return result.ok && result.stdout.length > 0;
}

/** The id of a commit's tree. */
export async function readCheckoutTree({ gitDirectory }: Checkout, sha: string): Promise<string> {
  const result = await runGit({ gitDirectory, args: ["rev-parse", "--verify", "--end-of-options", `${sha}^{tree}`] });
  if (!result.ok) throw refused("base_not_found", `The checkout cannot read the commit ${sha}: ${result.errorText}`);
  return result.stdout.toString("utf8").trim();
}

function unusable(workTree: string, why: string): ForgeError {
  return refused("checkout_unusable", `Forge cannot work on ${workTree}: ${why}.`);
}

function refused(code: string, message: string): ForgeError {
  return new ForgeError(code, message, { source: "validation", recoverability: "manual" });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
