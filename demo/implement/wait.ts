import { CHECK } from "../github.ts";
import type { Screen } from "../screen.ts";
import type { PullRequest } from "../show.ts";
import type { Stage } from "../stage.ts";
import { until } from "../until.ts";
import type { IssueAt } from "./issue.ts";
import { issueOf, pullOf } from "./look.ts";
import { sayAgain } from "./say-again.ts";

/** Much longer than Forge takes for a step of the story, also on a busy machine and when its worker is killed on the way; a real model thinks. */
const STEP_MS = { scripted: 240_000, given: 1_800_000 };

/** Resolves with what `look` sees, once it sees something. Meanwhile the first line of the status comment is shown. */
export async function waitFor<T>(
  stage: Stage,
  screen: Screen,
  issue: IssueAt,
  what: string,
  look: () => T | Promise<T>,
): Promise<NonNullable<T>> {
  const { forge, model, signal, github } = stage;
  const start = performance.now();
  const meanwhile = () => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const [first = ""] = issueOf(stage, issue).status.split("\n");
    screen.progress(
      `${first.replaceAll(/[*`]/g, "").slice(0, screen.width - 10) || "Forge is at work …"} ${seconds} s`,
    );
  };
  const lookAsPeople = async () => {
    if (stage.chaos) await sayAgain(stage, screen, issue);
    return look();
  };
  const seen = await until(what, lookAsPeople, { signal, limitMs: STEP_MS[model.kind], unless: forge.died, meanwhile });
  await github.idle();
  return seen;
}

/** What the status comment has as "/forge approve G-2"; undefined while nothing waits for an approval. */
export function waitingGate(stage: Stage, issue: IssueAt): string | undefined {
  const [first = ""] = issueOf(stage, issue).status.split("\n");
  return /^\*\*Waiting\b.*?`\/forge approve (G-\d+)`/.exec(first)?.[1];
}

/** The pull request once it is ready for people on another head than before, with nothing waiting. */
export function readyPull(stage: Stage, issue: IssueAt, before?: string): PullRequest | undefined {
  const pull = pullOf(stage, issue);
  if (!pull || pull.draft || pull.headSha === before) return undefined;
  const reviewed = pull.checkRuns.some(({ name, status }) => name === CHECK && status === "completed");
  const { status } = issueOf(stage, issue);
  return reviewed && status.startsWith("**Ready**") ? pull : undefined;
}
