import { ForgeError } from "../domain/errors.ts";
import type { PushBranch, PushOutcome } from "../github/effects/effect-ports.ts";
import { mirrorOf } from "../pipeline/change/fetch-ends.ts";
import type { IssueHost } from "../pipeline/runs/ports.ts";
import { readWorkTree } from "../store/runs/put-work-tree.ts";
import type { Store } from "../store/store.ts";
import { pushBranch } from "../workspace/working-tree/push-branch.ts";

export interface PushDependencies {
  readonly store: Store;
  readonly host: Pick<IssueHost, "pushRemote">;
  readonly mirrorRoot: string;
}

/** Joins the effect of a push with what does it: the commits are those of the run's working tree, on whichever machine it was written. */
export function createPush({ store, host, mirrorRoot }: PushDependencies): PushBranch {
  return async ({ subject, runId, branch, headSha, expected, theirs, signal }): Promise<PushOutcome> => {
    const { repository } = subject;
    const mirror = mirrorOf(repository, mirrorRoot, host.pushRemote(repository));
    const snapshot = await readWorkTree(store, runId);
    try {
      const done = await pushBranch({
        ...{ mirror, remote: mirror.remote, branch, theirs, sha: headSha, expected, snapshot },
        signal: signal ?? new AbortController().signal,
      });
      switch (done.outcome) {
        case "pushed":
        case "already":
          return { is: done.outcome };
        case "moved":
          return { is: "moved", to: done.sha };
        case "refused":
          return { is: "refused", reason: done.reason };
      }
    } catch (error) {
      if (error instanceof ForgeError && error.code === "github_unavailable") {
        return { is: "unavailable", reason: error.message };
      }
      throw error;
    }
  };
}
