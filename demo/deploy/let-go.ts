import { POSTAGE } from "../github.ts";
import type { IssueAt } from "../implement/issue.ts";
import { showCommand, showText } from "../implement/show.ts";
import { waitFor } from "../implement/wait.ts";
import type { Stage } from "../stage.ts";
import type { Telling } from "../telling.ts";
import type { ENVIRONMENTS } from "./company.ts";
import { said } from "./look.ts";

type Environment = (typeof ENVIRONMENTS)[number];

/** Forge asks on the issue whether its version may go to an environment, and mia lets it go. */
export async function letGo({ stage, screen }: Telling, issue: IssueAt, environment: Environment): Promise<void> {
  const what = `Forge asks whether the version may go to ${environment}`;
  const question = await waitFor(stage, screen, issue, what, () => asked(stage, issue, environment));
  showText({ ...screen, unfolded: true }, `Forge asks on #${issue.number}:`, question);
  const gate = /\/forge approve (G-\d+)/.exec(question)?.[1] ?? "";
  const command = `/forge approve ${gate} we have looked at it`;
  showCommand(screen, "mia", "there", command);
  stage.github.comment(POSTAGE, issue.number, { by: "mia", body: command });
  const isLet = () => said(stage, issue).some((body) => body.startsWith(`**${gate} approved**`));
  await waitFor(stage, screen, issue, "the approval counts", isLet);
}

function asked(stage: Stage, issue: IssueAt, environment: Environment): string | undefined {
  return said(stage, issue).findLast((body) => /^\*\*May `/.test(body) && body.includes(`deployed to ${environment}?`));
}
