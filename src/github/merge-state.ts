import { z } from "zod";
import type { MergeState } from "../domain/merging.ts";
import { numberOf, type RepositoryRef, type Subject } from "../domain/subjects.ts";
import type { AppClient } from "./app-client.ts";
import { type Ask, createAsk } from "./ask.ts";
import type { GitHubRepository } from "./github-repository.ts";
import { MERGE_PERMISSIONS } from "./permissions.ts";
import { rethrow } from "./reader.ts";

/**
 * `refUpdateRule` is what those who are no administrators see of a branch protection; rules of rulesets are listed beside it. What the state comes
 * to may depend on who asks: an App that may go around the rules is told that it can merge, which `viewerCanMergeAsAdmin` gives away.
 */
const STATE = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    viewerDefaultMergeMethod
    pullRequest(number: $number) {
      id state isDraft headRefOid baseRefName mergeStateStatus isMergeQueueEnabled isInMergeQueue viewerCanMergeAsAdmin
      statusCheckRollup { state }
      baseRef {
        refUpdateRule { requiredApprovingReviewCount requiredStatusCheckContexts }
        rules(first: 100) { nodes { type parameters { ... on PullRequestParameters { requiredApprovingReviewCount } } } }
      }
    }
  }
}`;
const ENQUEUE = `mutation ($id: ID!, $head: GitObjectID!) {
  enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head }) { mergeQueueEntry { id } }
}`;

const approvals = z.number().nullish();
const Rule = z.object({
  type: z.string(),
  parameters: z.object({ requiredApprovingReviewCount: approvals }).nullish(),
});
const Pull = z.object({
  id: z.string(),
  state: z.enum(["OPEN", "CLOSED", "MERGED"]),
  isDraft: z.boolean(),
  headRefOid: z.string(),
  baseRefName: z.string(),
  mergeStateStatus: z.string(),
  isMergeQueueEnabled: z.boolean(),
  isInMergeQueue: z.boolean(),
  viewerCanMergeAsAdmin: z.boolean(),
  statusCheckRollup: z.object({ state: z.string() }).nullish(),
  baseRef: z
    .object({
      refUpdateRule: z
        .object({
          requiredApprovingReviewCount: approvals,
          requiredStatusCheckContexts: z.array(z.string().nullish()).nullish(),
        })
        .nullish(),
      rules: z.object({ nodes: z.array(Rule.nullish()).nullish() }).nullish(),
    })
    .nullish(),
});
type Pull = z.infer<typeof Pull>;
const Answer = z.object({
  repository: z
    .object({ viewerDefaultMergeMethod: z.enum(["MERGE", "SQUASH", "REBASE"]), pullRequest: Pull.nullish() })
    .nullish(),
});
const METHODS = { MERGE: "merge", SQUASH: "squash", REBASE: "rebase" } as const;

type Merging = Pick<GitHubRepository, "readMergeState" | "mergePull" | "enqueuePull">;

/** What merging asks of GitHub, and how it is done: pinned to a head either way, and as the protection of the branch allows. */
export function octokitMerging(
  { ask, query }: Ask,
  { owner, name }: { readonly owner: string; readonly name: string },
): Merging {
  return {
    readMergeState: async (number) => {
      const { repository } = await query(Answer, STATE, { owner, name, number });
      const pull = repository?.pullRequest;
      return pull ? stateOf(pull, METHODS[repository.viewerDefaultMergeMethod]) : undefined;
    },
    mergePull: async (number, sha, method) => {
      const route = "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge";
      await ask(z.object({ merged: z.literal(true) }), route, { pull_number: number, sha, merge_method: method });
    },
    enqueuePull: async (id, head) => {
      await query(z.unknown(), ENQUEUE, { id, head });
    },
  };
}

/** The same question for jobs. */
export function createMergeReader(client: AppClient) {
  return async (subject: Subject, signal: AbortSignal): Promise<MergeState | undefined> => {
    const { repository } = subject;
    const asking = createAsk(client.repository(repository, MERGE_PERMISSIONS), repository satisfies RepositoryRef, {
      signal,
    });
    return octokitMerging(asking, repository).readMergeState(numberOf(subject)).catch(rethrow);
  };
}

function stateOf(pull: Pull, method: MergeState["method"]): MergeState {
  const { id, state, isDraft: draft, headRefOid: headSha, baseRefName: baseRef } = pull;
  return {
    ...{ id, draft, headSha, baseRef, method, open: state === "OPEN", merged: state === "MERGED" },
    isProtected: isProtected(pull),
    queue: pull.isMergeQueueEnabled,
    queued: pull.isInMergeQueue,
    mayBypass: pull.viewerCanMergeAsAdmin,
    status: statusOf(pull),
  };
}

const DEMANDING: ReadonlySet<string> = new Set([
  "REQUIRED_STATUS_CHECKS",
  "WORKFLOWS",
  "REQUIRED_WORKFLOW_STATUS_CHECKS",
  "MERGE_QUEUE",
]);

/** Something that is looked at, by a program or a person, is asked for: that nobody may push or delete is no such thing. */
function isProtected({ baseRef }: Pull): boolean {
  const rule = baseRef?.refUpdateRule;
  const asks = (count: number | null | undefined) => (count ?? 0) > 0;
  if (asks(rule?.requiredApprovingReviewCount) || (rule?.requiredStatusCheckContexts ?? []).length > 0) return true;
  const rules = baseRef?.rules?.nodes ?? [];
  return rules.some((one) => one && (DEMANDING.has(one.type) || asks(one.parameters?.requiredApprovingReviewCount)));
}

const NOT_THROUGH: ReadonlySet<string> = new Set(["PENDING", "EXPECTED"]);

/** A queue looks itself whether what is required is there, and says no where it is not. */
function statusOf({
  mergeStateStatus: state,
  statusCheckRollup: checks,
  isMergeQueueEnabled: queue,
}: Pull): MergeState["status"] {
  if (state === "DIRTY") return "conflicts";
  if (checks && NOT_THROUGH.has(checks.state)) return "pending";
  if (checks && checks.state !== "SUCCESS") return "failing";
  if (state === "CLEAN" || state === "HAS_HOOKS") return "ready";
  if (state === "UNSTABLE") return "failing";
  if (state === "UNKNOWN") return "pending";
  return queue ? "ready" : "blocked";
}
