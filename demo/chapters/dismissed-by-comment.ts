import { SHOP } from "../github.ts";
import { sayCommand } from "../say-command.ts";
import { showOutcome } from "../show-outcome.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForResolved } from "../wait.ts";

const PLACE = "src/orders.ts:22";
const COMMAND = "/forge dismiss accepted: the lines of an order never change";

/** A person with triage dismisses a finding in its own conversation: the check counts one less at once. */
export async function dismissedByComment(telling: Telling, number: number): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("ben, who has triage here, dismisses a finding in its conversation");
  const { reviewComments } = stage.github.pullRequest(SHOP, number);
  const comment = reviewComments.find(({ path, line, inReplyTo }) => `${path}:${line}` === PLACE && inReplyTo === null);
  expect(`there is a conversation at ${PLACE}`, comment !== undefined, true);
  const { reviewed, reactions } = await sayCommand(telling, {
    number,
    by: "ben",
    text: COMMAND,
    thread: comment?.id,
    where: `in the conversation at ${PLACE}`,
  });
  await waitForResolved(stage, number, 6);
  await showOutcome(stage, screen, reviewed, /^\*\*(?:Changes requested|Dismissed)/);
  await keepVerdict(telling, "dismissed by a comment", reviewed);
  const { check } = reviewed;
  expect("Forge says that the command was taken and done", reactions, ["eyes", "rocket"]);
  expect("the check fails for what is left", check.conclusion, "failure");
  expect("and names it", check.title, "1 blocking error: duplicate object key in src/receipts.ts");
  expect(
    "it says who dismissed it and why",
    /Dismissed\*\*: `F-\w+` by `ben` \(accepted: /.test(check.summary ?? ""),
    true,
  );
}
