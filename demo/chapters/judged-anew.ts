import { annotated, EXPECTED } from "../expected.ts";
import { CHECK, fixture } from "../github.ts";
import { reviewsOf } from "../show.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForReview } from "../wait.ts";

/** The next push is judged again: the override does not reach it, and with the rest fixed it needs none. */
export async function judgedAnew(telling: Telling, number: number): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { ana } = stage;
  const { expect } = expectations;
  screen.step("ana fixes the rest, and the next head is judged again");
  await ana.take(fixture("fixed"));
  const head = await ana.commit("Compare with what was there before");
  await ana.push();
  screen.say("She pushes another commit; the override does not hold for it.", "");

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  await showReview(stage, screen, reviewed, []);
  await keepVerdict(telling, "judged again", reviewed);
  const { head: seeded, fixedPartly } = EXPECTED;
  const checks = pull.allCheckRuns.map(({ headSha, name }) => `${headSha} ${name}`);
  expect("the last check succeeds", check.conclusion, "success");
  expect("by itself, not by the override", check.title?.startsWith("Clean: "), true);
  expect("the last check has no annotations", annotated(check), []);
  const comments = pull.reviewComments.filter(({ inReplyTo }) => inReplyTo === null);
  expect("a fixed head gets no review", reviewsOf(pull).length, 2);
  expect("no comment is made twice", comments.length, seeded.length + fixedPartly.fresh.length);
  expect("there were three heads", pull.heads.length, 3);
  expect("each head has one check", checks.sort(), pull.heads.map((sha) => `${sha} ${CHECK}`).sort());
  expect(
    "Forge says nothing in the conversation",
    pull.comments.filter(({ by }) => by === "forge[bot]"),
    [],
  );
}
