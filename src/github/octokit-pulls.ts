import { z } from "zod";
import type { Ask } from "./ask.ts";
import type { GitHubRepository, PullOnGitHub } from "./github-repository.ts";

const PullAnswer = z
  .object({
    number: z.number(),
    node_id: z.string(),
    state: z.string(),
    draft: z.boolean().nullish(),
    title: z.string(),
    body: z.string().nullish(),
    head: z.object({ ref: z.string() }),
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
