import { mkdir, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ForgeError } from "../../domain/errors.ts";
import { requireObjectId } from "../revision.ts";
import { askGit, orFailed } from "./ask-git.ts";
import { findLocalRepository, type LocalRepository } from "./find-repository.ts";
import { unusable } from "./plain-file.ts";
import { readHead } from "./read-references.ts";
import { readSettings } from "./read-settings.ts";
import { resolveRevision } from "./resolve-revisions.ts";

/** A git checkout of this machine that work begins at and branches are put into. Its working tree and index are never touched. */
export type Checkout = LocalRepository;

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
  const { workTree, commonDirectory } = found;
  if (await exists(join(commonDirectory, "shallow"))) {
    throw unusable(workTree, "it is shallow, so a part of its history is missing: git fetch --unshallow");
  }
  if ((await readSettings(commonDirectory)).objectFormat !== "sha1") {
    throw unusable(workTree, "its objects are not named by SHA-1");
  }
  return found;
}

/** The start of work: the commit, and the name of its branch, or `HEAD` where none is checked out. */
export interface CheckoutBase {
  readonly ref: string;
  readonly sha: string;
}

/**
 * @param named a branch, a tag or a commit; what is checked out when left out
 * @throws ForgeError `base_not_found`
 */
export async function readCheckoutBase(checkout: Checkout, named?: string): Promise<CheckoutBase> {
  const sha = await resolveRevision(checkout, named ?? "HEAD");
  if (sha === undefined) {
    const message =
      named === undefined
        ? "The repository has no commit yet: make a first one, so that there is something to begin at."
        : `There is no commit ${JSON.stringify(named)} here: name another with --base.`;
    throw refused("base_not_found", message);
  }
  if (named !== undefined) return { ref: named, sha };
  const head = await readHead(checkout.gitDirectory);
  return { ref: head !== undefined && "ref" in head ? head.ref.replace(/^refs\/heads\//, "") : "HEAD", sha };
}

/** Whether anything in the working tree or the index is not committed; files that git does not know count too. */
export async function hasLooseChanges(checkout: Checkout): Promise<boolean> {
  // Git would look into submodules by their own configuration.
  const how = ["--ignore-submodules=all", "--no-renames", "--untracked-files=normal"];
  // Told with filters left aside, such as those of large files: it is a remark, nothing rests on it.
  const status = await orFailed(askGit(checkout, (git) => git.status(how), { withIndex: true }));
  return "files" in status && !status.isClean();
}

/** The id of a commit's tree. */
export async function readCheckoutTree(checkout: Checkout, sha: string): Promise<string> {
  const tree = await resolveRevision(checkout, sha, "tree");
  if (tree === undefined) throw refused("base_not_found", `The checkout cannot read the commit ${sha}.`);
  return tree;
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

/** A repository of its own in a new folder that has everything the checkout has: what is written to it leaves the checkout as it is. */
export async function borrowCheckout(checkout: Checkout, folder: string): Promise<Checkout> {
  const gitDirectory = join(folder, "borrowing.git");
  const objects = join(gitDirectory, "objects");
  await mkdir(join(objects, "info"), { recursive: true });
  await mkdir(join(objects, "pack"));
  await mkdir(join(gitDirectory, "refs"));
  await writeFile(join(objects, "info", "alternates"), `${checkout.objects}\n`);
  await writeFile(join(gitDirectory, "HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(gitDirectory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  return { gitDirectory, workTree: checkout.workTree, commonDirectory: gitDirectory, objects };
}

/** A commit of a checkout as people read it. */
export interface LocalCommit {
  readonly sha: string;
  readonly tree: string;
  readonly message: string;
}

const MOST_COMMITS = 500;

/**
 * The commits that `head` has and `base` has not, oldest first.
 * @throws ForgeError `checkout_unreadable`, `invalid_revision`
 */
export async function listLocalCommits(checkout: Checkout, base: string, head: string): Promise<LocalCommit[]> {
  const range = [requireObjectId(head), `^${requireObjectId(base)}`];
  const plain = ["--no-show-signature", "--no-notes", "--no-decorate", "--no-color"];
  const order = [`--max-count=${MOST_COMMITS}`, "--reverse", "--topo-order"];
  // Not `git.log`, which finds the beginnings of commits by a mark in the text: a message could make commits up. No message has a NUL.
  const args = ["log", "-z", ...order, ...plain, "--format=%H %T%n%B", ...range, "--"];
  const listed = await orFailed(askGit(checkout, (git) => git.raw(args)));
  if (typeof listed !== "string") {
    const message = `Git cannot list the commits of the branch: ${listed.message}`;
    throw new ForgeError("checkout_unreadable", message, { source: "resource", recoverability: "manual" });
  }
  return listed
    .split("\0")
    .filter((record) => record.trim() !== "")
    .map((record) => {
      const [ids = "", ...lines] = record.split("\n");
      const [sha = "", tree = ""] = ids.split(" ");
      return { sha, tree, message: lines.join("\n").trim() };
    });
}
