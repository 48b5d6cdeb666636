import { ForgeError } from "../../domain/errors.ts";
import { runGit } from "../git.ts";
import { requireObjectId } from "../revision.ts";
import type { Checkout } from "./checkout.ts";
import { inView } from "./open-view.ts";

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
  const args = [
    "log",
    "-z",
    `--max-count=${MOST_COMMITS}`,
    "--reverse",
    "--topo-order",
    ...plain,
    "--format=%H %T%n%B",
  ];
  const result = await inView(checkout, (gitDirectory) => runGit({ gitDirectory, args: [...args, ...range, "--"] }));
  if (!result.ok) {
    const message = `Git cannot list the commits of the branch: ${result.errorText}`;
    throw new ForgeError("checkout_unreadable", message, { source: "resource", recoverability: "manual" });
  }
  return result.stdout
    .toString("utf8")
    .split("\0")
    .filter((record) => record.trim() !== "")
    .map((record) => {
      const [ids = "", ...lines] = record.split("\n");
      const [sha = "", tree = ""] = ids.split(" ");
      return { sha, tree, message: lines.join("\n").trim() };
    });
}
