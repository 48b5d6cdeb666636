import { configure } from "../configure.ts";
import { propose } from "../propose.ts";
import { sayCommand } from "../say-command.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForReview } from "../wait.ts";

/** The script's first answer is paid from it, and a second one is not. Of another model not even the first one is. */
const CONFIGURATIONS = {
  scripted: { limit: "0.10", llm: ["llm:", "  fast_model: claude-sonnet-5-5"] },
  given: { limit: "0.0001", llm: [] },
};

/**
 * A budget is reached in the middle of a review: nothing more is asked, what the analyzers found stays, the check is not green and says how
 * to go on.
 */
export async function budgetUsedUp(telling: Telling): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  const { limit, llm } = CONFIGURATIONS[stage.model.kind];
  screen.step("mia sets a limit that is too small, and a review reaches it");
  const lines = ["review:", "  ai: always", ...llm, "safety:", "  cost:", `    review: ${limit} # USD`];
  await configure(telling, "Spend less on reviews", lines);
  const request = { title: "Wrap baskets as gifts", branch: "wrapping", tree: "wrapping" };
  const { number, head } = await propose(telling, request);

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  await showReview(stage, screen, reviewed, []);
  await keepVerdict(telling, "budget used up", reviewed);
  const summary = check.summary ?? "";
  const cost = Number(/^\$(\d+\.\d+) \(/m.exec(summary)?.[1] ?? 0);
  const isFree = stage.model.kind === "given" && check.conclusion === "success";
  if (isFree) screen.say("The model of yours costs nothing, so no limit holds it.");
  expect("the limit is not overshot", cost <= Number(limit) || isFree, true);
  expect("what was not looked at is not green", check.conclusion, isFree ? "success" : "action_required");
  if (!isFree)
    expect("the title says why", check.title, `Not fully reviewed: the AI layer reached the budget of $${limit}`);
  expect("the other layers ran anyway", /at `[0-9a-f]{7}`: static, security\b/.test(summary), true);
  expect("nobody is disturbed by it", [...pull.comments, ...pull.reviewComments], []);
  // A model that failed for another reason, or found more than the sum pays for, is no part of the story.
  if (stage.model.kind === "given") return;
  const offered = /`(\/forge extend usd [\d.]+)`/.exec(summary)?.[1];
  expect("the check says how to go on", offered, "/forge extend usd 0.1");

  const text = offered ?? "/forge extend usd 0.1";
  const saying = { number, by: "mia", text, where: "in the conversation of the pull request" };
  const { reactions } = await sayCommand(telling, saying);
  const again = await waitForReview(stage, screen, number, head, check);
  await showReview(stage, screen, again, []);
  await keepVerdict(telling, "budget raised", again);
  expect("the command was taken and done", reactions, ["eyes", "rocket"]);
  expect("with more money the review gets to its end", again.check.conclusion, "success");
  const run = (text: string | null) => /run `(\w+)`/.exec(text ?? "")?.[1];
  expect("it went on where it had stopped", run(again.check.summary), run(summary));
}
