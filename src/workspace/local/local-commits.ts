import { ForgeError } from "../../domain/errors.ts";
import { requireObjectId } from "../revision.ts";
import { askGit, orFailed } from "./ask-git.ts";
import type { Checkout } from "./checkout.ts";

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
