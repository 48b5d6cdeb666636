import { z } from "zod";
import type { Ask } from "./ask.ts";
import type { GitHubRepository } from "./github-repository.ts";

const IssueAnswer = z
  .object({ number: z.number(), body: z.string().nullish(), state: z.string(), comments: z.number() })
  .transform(({ number, body, state, comments }) => ({ number, body: body ?? "", open: state === "open", comments }));

/** Issues that Forge opened itself. */
export function octokitIssues({ ask, find }: Ask): Pick<GitHubRepository, "updateIssue" | "findIssue"> {
  const issue = "/repos/{owner}/{repo}/issues/{issue_number}";
  return {
    updateIssue: async (number, change) => {
      await ask(IssueAnswer, `PATCH ${issue}`, { issue_number: number, ...change });
    },
    findIssue: (number) => find(IssueAnswer, `GET ${issue}`, { issue_number: number }),
  };
}
