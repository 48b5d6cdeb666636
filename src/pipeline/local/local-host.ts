import { ForgeError } from "../../domain/errors.ts";
import type { IssueSnapshot } from "../../domain/implementation.ts";
import { FORGE, type PullRequestEnds, type RepositoryRef } from "../../domain/subjects.ts";
import { objectInfo } from "../../workspace/fetch-blobs.ts";
import type { Checkout, CheckoutBase } from "../../workspace/local/checkout.ts";
import { readLocalBranch } from "../../workspace/local/local-branch.ts";
import { type Mirror, withMirror } from "../../workspace/mirror.ts";
import { readFileAt } from "../../workspace/read-file-at.ts";
import { readTree } from "../../workspace/read-tree.ts";
import { mirrorOf, needed } from "../change/fetch-ends.ts";
import type { Implementation } from "../implement/implementation.ts";
import type { GitRemote, IssueHost, PullRequestHost } from "../runs/ports.ts";

/** The subject of a run on a checkout. */
export interface LocalWork {
  readonly checkout: Checkout;
  readonly repository: RepositoryRef;
  readonly base: CheckoutBase;
  readonly issue: IssueSnapshot;
  readonly mirrorRoot: string;
  /** The run as it stands now. */
  readonly readRun: () => Promise<Implementation | undefined>;
}

const MOST_FILES = 100_000;
/** Nothing is ever asked there: names under `.invalid` are reserved (RFC 2606). */
const NOWHERE = "https://checkout.invalid/";

/**
 * A checkout of this machine as the work on issues needs a git host: the task is the issue, its branch and the base are the pull request, and
 * the base stands for the default branch. The person at the terminal may do everything.
 */
export function createLocalHost(work: LocalWork): PullRequestHost & IssueHost {
  const { checkout, base, issue, readRun } = work;
  const remote = remoteOf(checkout);
  const mirror = mirrorOf(work.repository, work.mirrorRoot, remote);
  const endsNow = async (): Promise<PullRequestEnds | undefined> => {
    const branch = (await readRun())?.branch;
    const headSha = branch === undefined ? null : await readLocalBranch(checkout, branch);
    if (branch === undefined || headSha === null) return undefined;
    const headRepositoryId = work.repository.id;
    return { headSha, headRef: branch, headRepositoryId, baseSha: base.sha, baseRef: base.ref };
  };
  return {
    readPullRequest: async () => {
      const ends = await endsNow();
      const facts = { open: true, draft: true, title: issue.title, author: FORGE, labels: [] };
      return ends && { ...facts, ends, defaultBranch: base.ref };
    },
    readFile: async (_, path, signal) => {
      const read = await readFileAt(mirror, base.sha, path, { signal });
      if (!read) return undefined;
      if (!read.ok && (read.reason === "not a file" || read.reason === "too large")) return undefined;
      return needed(read).content.toString("utf8");
    },
    readOrganisationFile: async () => undefined,
    readVerdicts: async () => [],
    readRole: async () => "admin",
    isInTeam: async () => false,
    listFiles: async (_, signal) => listFiles(mirror, base.sha, signal),
    remote: () => remote,
    readIssue: async () => {
      const { title, labels, body } = issue;
      return { open: true, isPull: false, title, author: body.by, labels, updatedAt: body.at };
    },
    readSnapshot: async () => issue,
    issuesOf: () => ({ fetchIssue: async () => undefined }),
    readBranchHead: async (_, ref) => {
      if (ref === undefined) return base;
      const sha = await readLocalBranch(checkout, ref);
      return sha === null ? undefined : { ref, sha };
    },
    readPull: async () => {
      const ends = await endsNow();
      const run = await readRun();
      const facts = { open: true, merged: false, title: issue.title, mergeable: "clean" } as const;
      return ends && { ...facts, draft: run?.pull?.ready !== true, ends };
    },
    readReviewFeedback: async () => undefined,
    readCiFeedback: async () => [],
    lackingForWork: async () => [],
    pushRemote: () => remote,
  };
}

/** Objects that the checkout lacks have no other source. */
function remoteOf({ workTree, objects }: Checkout): GitRemote {
  const token = async () => {
    const how = "If it is a partial clone, bring everything first: git fetch --refetch --no-filter";
    const message = `The checkout ${workTree} lacks objects that its commits speak of. ${how}`;
    throw new ForgeError("checkout_incomplete", message, { source: "resource", recoverability: "none" });
  };
  return { url: NOWHERE, allowHttp: false, token, lender: objects };
}

async function listFiles(mirror: Mirror, commit: string, signal: AbortSignal) {
  const { listing, sizes } = needed(
    await withMirror(mirror, signal, async () => {
      const read = await readTree(mirror, { commit, recursive: true, maxEntries: MOST_FILES, signal });
      if (!read.ok) return read;
      const info = await objectInfo(
        mirror,
        read.entries.map(({ sha }) => sha),
      );
      return info.ok ? ({ ok: true, listing: read, sizes: info.objects } as const) : info;
    }),
  );
  const files = listing.entries.flatMap(({ path, mode, sha }) => {
    const bytes = sizes.get(sha)?.bytes;
    return bytes === undefined ? [] : [{ path, mode, bytes }];
  });
  return { files, truncated: listing.truncated };
}
