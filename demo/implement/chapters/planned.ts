import { TALLY } from "../../github.ts";
import type { Stage } from "../../stage.ts";
import type { Telling } from "../../telling.ts";
import { type UntilOptions, until } from "../../until.ts";
import { ISSUE, LABEL } from "../issue.ts";
import { branches, issueOf, pullOf } from "../look.ts";
import { showCommand, showText } from "../show.ts";
import { waitFor, waitingGate } from "../wait.ts";

/** A label is enough: Forge reads the issue and the code, and says what it would do, before it does anything. */
export async function planned({ stage, screen, expectations, told }: Telling): Promise<number> {
  const { github } = stage;
  const { expect } = expectations;
  screen.step(`ben opens an issue, and ana puts the label ${LABEL} on it`);
  const { number } = github.openIssue(TALLY, { ...ISSUE, by: "ben" });
  told.issue = number;
  showText(screen, `#${number} ${ISSUE.title}, by ben`, ISSUE.body);
  await until(`Forge has created the label ${LABEL}`, () => isCreated(stage), limits(stage));
  stage.chaos?.begin();
  await github.addLabel(TALLY, number, LABEL, "ana");

  const waiting = () => waitingGate(stage, number) ?? (isAsking(stage, number) ? "asking" : undefined);
  if ((await waitFor(stage, screen, number, "a plan waits for approval", waiting)) === "asking") {
    showText(screen, "Forge asks:", issueOf(stage, number).status);
    showCommand(screen, "ana", "on the issue", ANSWER);
    github.comment(TALLY, number, { by: "ana", body: ANSWER });
    await waitFor(stage, screen, number, "a plan waits for approval", () => waitingGate(stage, number));
  }
  const { plans, statuses } = issueOf(stage, number);
  showText(screen, "Forge writes on the issue, and waits:", plans[0] ?? "");
  expect("there is one plan", plans.length, 1);
  expect("there is one status comment", statuses.length, 1);
  expect("the plan says what it will cost", /about \$\d+\.\d\d to \$\d+\.\d\d/.test(plans[0] ?? ""), true);
  expect("nothing is built before someone said yes", [await branches(stage), pullOf(stage, number)], [[], undefined]);
  return number;
}

/** Another model may want to know something first. */
const ANSWER = "/forge answer Decide it as the code does in similar places, and write it into the plan.";

function isAsking(stage: Stage, issue: number): boolean {
  return issueOf(stage, issue).status.startsWith("**A question**");
}

/** Forge creates its labels when it is installed; before that there is none to choose. */
function isCreated({ github }: Stage): boolean {
  return github.requests.some(({ operation, path, status, body }) => {
    const name = (body as { readonly name?: string } | undefined)?.name;
    return operation === "issues/create-label" && path.includes(`/${TALLY}/`) && status === 201 && name === LABEL;
  });
}

function limits({ signal, forge }: Stage): UntilOptions {
  return { signal, limitMs: 60_000, unless: forge.died };
}
