import { TALLY } from "../../github.ts";
import type { Stage } from "../../stage.ts";
import type { Telling } from "../../telling.ts";
import { ISSUE, type IssueAt, LABEL } from "../issue.ts";
import { labelIsThere } from "../label.ts";
import { branches, issueOf, pullOf } from "../look.ts";
import { showCommand, showText } from "../show.ts";
import { waitFor, waitingGate } from "../wait.ts";

/** A label is enough: Forge reads the issue and the code, and says what it would do, before it does anything. */
export async function planned({ stage, screen, expectations, told }: Telling): Promise<IssueAt> {
  const { github } = stage;
  const { expect } = expectations;
  screen.step(`ben opens an issue, and ana puts the label ${LABEL} on it`);
  const { number } = github.openIssue(TALLY, { ...ISSUE, by: "ben" });
  const issue = { repository: TALLY, number };
  told.issue = number;
  showText(screen, `#${number} ${ISSUE.title}, by ben`, ISSUE.body);
  await labelIsThere(stage, TALLY);
  stage.chaos?.begin();
  await github.addLabel(TALLY, number, LABEL, "ana");

  const waiting = () => waitingGate(stage, issue) ?? (isAsking(stage, issue) ? "asking" : undefined);
  if ((await waitFor(stage, screen, issue, "a plan waits for approval", waiting)) === "asking") {
    showText(screen, "Forge asks:", issueOf(stage, issue).status);
    showCommand(screen, "ana", "on the issue", ANSWER);
    github.comment(TALLY, number, { by: "ana", body: ANSWER });
    await waitFor(stage, screen, issue, "a plan waits for approval", () => waitingGate(stage, issue));
  }
  const { plans, statuses } = issueOf(stage, issue);
  showText(screen, "Forge writes on the issue, and waits:", plans[0] ?? "");
  expect("there is one plan", plans.length, 1);
  expect("there is one status comment", statuses.length, 1);
  expect("the plan says what it will cost", /about \$\d+\.\d\d to \$\d+\.\d\d/.test(plans[0] ?? ""), true);
  expect(
    "nothing is built before someone said yes",
    [await branches(stage, TALLY), pullOf(stage, issue)],
    [[], undefined],
  );
  return issue;
}

/** Another model may want to know something first. */
const ANSWER = "/forge answer Decide it as the code does in similar places, and write it into the plan.";

function isAsking(stage: Stage, issue: IssueAt): boolean {
  return issueOf(stage, issue).status.startsWith("**A question**");
}
