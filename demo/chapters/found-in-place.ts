import { readFileSync } from "node:fs";
import { makeAwsKey } from "../aws-key.ts";
import { annotated, blockingPlaces, EXPECTED } from "../expected.ts";
import { PICTURE_TEXT, pictureText } from "../picture-text.ts";
import { propose } from "../propose.ts";
import { placeOf } from "../report.ts";
import { reviewsOf } from "../show.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForReview } from "../wait.ts";

/** The first review: every seeded problem is said once, on its line. Resolves with the number of the pull request. */
export async function foundInPlace(telling: Telling): Promise<number> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  const key = makeAwsKey();
  screen.step("ana opens a pull request with seven problems in it, and Forge finds them in place");
  const request = { title: "Add vouchers, orders and receipts", branch: "vouchers", tree: "head" };
  const { number, head } = await propose(telling, { ...request, replace: { "{{aws-key}}": key } });

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  const comments = reviewsOf(pull)[0]?.comments ?? [];
  await showReview(stage, screen, reviewed, comments);
  await keepVerdict(telling, "found in place", reviewed);
  expect("the first check fails", check.conclusion, "failure");
  expect("its title counts by severity", check.title, "6 blocking findings: 1 critical, 5 errors");
  expect("the first review finds what is seeded", comments.map(placeOf).sort(), EXPECTED.head);
  expect("annotations stand where findings block", annotated(check), blockingPlaces(EXPECTED.head));
  const reviews = reviewsOf(pull).map(({ commitId, state }) => `${commitId} ${state}`);
  expect("it is one review, of the head", reviews, [`${head} COMMENTED`]);
  expect("two comments suggest a change", comments.filter(({ body }) => body.includes("```suggestion")).length, 2);
  // `npm run docs:picture` takes a new one.
  expect("the picture in README.md shows what is said", pictureText(pull), readFileSync(PICTURE_TEXT, "utf8"));
  expect("the key is quoted nowhere", JSON.stringify(pull).includes(key), false);
  return number;
}
