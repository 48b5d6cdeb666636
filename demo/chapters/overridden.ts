import { sayCommand } from "../say-command.ts";
import { showOutcome } from "../show-outcome.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";

const COMMAND = "/forge override forge/review the fair opens at noon, the region is repaired today";

/** A maintainer passes the check on this head. What is open stays open and is still said. */
export async function overridden(telling: Telling, number: number): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("mia, who has maintain here, overrides the check on this head");
  const { reviewed, reactions } = await sayCommand(telling, {
    number,
    by: "mia",
    text: COMMAND,
    where: "in the conversation of the pull request",
  });
  await showOutcome(stage, screen, reviewed, /^\*\*(?:Overridden|Dismissed)/);
  await keepVerdict(telling, "overridden", reviewed);
  const { check } = reviewed;
  expect("the override was taken and done", reactions, ["eyes", "rocket"]);
  expect("the overridden check passes", check.conclusion, "success");
  expect("its title says by whom, and what is open", check.title, "Overridden by `mia`: 1 blocking error open");
  expect("it has the reason", check.summary?.includes("the fair opens at noon"), true);
  expect("it still has what is open", check.summary?.includes("`src/receipts.ts:4`"), true);
}
