import { TALLY } from "../../github.ts";
import type { Telling } from "../../telling.ts";
import type { IssueAt } from "../issue.ts";
import { branches, commitsBetween, issueOf, pullOf } from "../look.ts";
import { showText } from "../show.ts";
import { waitFor } from "../wait.ts";

/** Merging is for people. Everything is there once, whatever happened on the way. */
export async function merged({ stage, screen, expectations, told }: Telling, issue: IssueAt): Promise<void> {
  const { github } = stage;
  const { expect } = expectations;
  screen.step("mia merges");
  const { number, headRef, headSha, baseSha } = pullOf(stage, issue)!;
  told.commits = await commitsBetween(stage, TALLY, { base: baseSha, head: headSha });
  await github.mergePullRequest(TALLY, number, "mia");
  const ended = () => issueOf(stage, issue).status.startsWith("**Done**");
  await waitFor(stage, screen, issue, "the status comment says that it is done", ended);
  told.merged = true;
  const { status, state, plans, statuses } = issueOf(stage, issue);
  showText(screen, `#${issue.number} is closed. Its status comment:`, status);
  expect("the issue is closed", state, "closed");
  expect("there is one branch", await branches(stage, TALLY), [headRef]);
  expect(
    "there is one pull request",
    isThere(() => github.pullRequest(TALLY, number + 1)),
    false,
  );
  expect("there is one plan, and one status comment", [plans.length, statuses.length], [1, 1]);
}

function isThere(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch {
    return false;
  }
}
