import { z } from "zod";
import { type Ask, PAGE_SIZE } from "./ask.ts";
import type { GitHubRepository, PullOnGitHub } from "./github-repository.ts";

const THREADS = `query ($owner: String!, $name: String!, $number: Int!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: $size, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved comments(first: 1) { nodes { databaseId author { __typename } } } }
      }
    }
  }
}`;
const RESOLVE = `mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }`;
const UNRESOLVE = `mutation ($id: ID!) { unresolveReviewThread(input: { threadId: $id }) { thread { id } } }`;

const READY =
  "mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { id } } }";

const Thread = z.object({
  id: z.string(),
  isResolved: z.boolean(),
  comments: z.object({
    nodes: z.array(
      z.object({ databaseId: z.number().nullable(), author: z.object({ __typename: z.string() }).nullable() }),
    ),
  }),
});
const Threads = z.object({
  repository: z
    .object({
      pullRequest: z
        .object({
          reviewThreads: z.object({
            pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
            nodes: z.array(Thread),
          }),
        })
        .nullable(),
    })
    .nullable(),
});

/** What has no REST: threads and making a draft ready, by GraphQL. */
export function octokitThreads(
  { query }: Ask,
  { owner, name }: { readonly owner: string; readonly name: string },
): Pick<GitHubRepository, "findThread" | "setThreadResolved" | "markPullReady"> {
  return {
    findThread: async (number, commentId) => {
      for (let after: string | null = null; ; ) {
        const found: z.infer<typeof Threads> = await query(Threads, THREADS, {
          ...{ owner, name, number, after },
          size: PAGE_SIZE,
        });
        const threads = found.repository?.pullRequest?.reviewThreads;
        const thread = threads?.nodes.find(({ comments }) => comments.nodes[0]?.databaseId === commentId);
        if (thread) {
          const byBot = thread.comments.nodes[0]?.author?.__typename === "Bot";
          return { id: thread.id, resolved: thread.isResolved, byBot };
        }
        if (!threads?.pageInfo.hasNextPage) return undefined;
        after = threads.pageInfo.endCursor;
      }
    },
    setThreadResolved: async (id, resolved) => {
      await query(z.unknown(), resolved ? RESOLVE : UNRESOLVE, { id });
    },
    markPullReady: async (id) => {
      await query(z.unknown(), READY, { id });
    },
  };
}

const PullAnswer = z
  .object({
    number: z.number(),
    node_id: z.string(),
    state: z.string(),
    draft: z.boolean().nullish(),
    title: z.string(),
    body: z.string().nullish(),
    head: z.object({ ref: z.string(), sha: z.string() }),
    user: z.object({ type: z.string() }).nullish(),
  })
  .transform(
    ({ number, node_id: id, state, draft, title, body, head, user }): PullOnGitHub => ({
      number,
      id,
      open: state === "open",
      draft: draft ?? false,
      title,
      body: body ?? "",
      headRef: head.ref,
      headSha: head.sha,
      byBot: user?.type === "Bot",
    }),
  );

type Pulls = Pick<GitHubRepository, "listPullsFrom" | "getPull" | "createPull" | "updatePull">;

/** Pull requests themselves: their part of `GitHubRepository`. */
export function octokitPulls({ ask, askAll }: Ask, { owner }: { readonly owner: string }): Pulls {
  const pulls = "/repos/{owner}/{repo}/pulls";
  return {
    listPullsFrom: async (branch) => {
      const found = await askAll(PullAnswer, `GET ${pulls}`, { head: `${owner}:${branch}`, state: "all" });
      // Where GitHub does not understand a filter it answers without it.
      return found.filter(({ headRef }) => headRef === branch);
    },
    getPull: (number) => ask(PullAnswer, `GET ${pulls}/{pull_number}`, { pull_number: number }),
    createPull: (pull) => ask(PullAnswer, `POST ${pulls}`, { ...pull }),
    updatePull: async (number, change) => {
      await ask(PullAnswer, `PATCH ${pulls}/{pull_number}`, { pull_number: number, ...change });
    },
  };
}
