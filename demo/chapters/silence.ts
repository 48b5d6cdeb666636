import { annotated } from "../expected.ts";
import { propose } from "../propose.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForReview } from "../wait.ts";

/** A pull request without a problem: one green check, and nobody is disturbed. */
export async function silence(telling: Telling): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("ana opens another pull request, and there is nothing to say about it");
  const request = { title: "Search products by name", branch: "search", tree: "clean" };
  const { number, head } = await propose(telling, request);

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  await showReview(stage, screen, reviewed, []);
  await keepVerdict(telling, "silence", reviewed);
  screen.say("No review, no comment: nobody is disturbed.");
  expect("the check of a clean change succeeds", check.conclusion, "success");
  expect("a clean change gets no annotation", annotated(check), []);
  expect("a clean change gets no review", pull.reviews, []);
  expect("a clean change gets no comment", [...pull.comments, ...pull.reviewComments], []);
}
