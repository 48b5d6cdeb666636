import { annotated, blockingPlaces, EXPECTED } from "../expected.ts";
import { fixture, SHOP } from "../github.ts";
import { placeOf } from "../report.ts";
import { type Comment, reviewsOf, suggestionOf } from "../show.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForResolved, waitForReview } from "../wait.ts";

/** Where a suggestion of the first review goes in the files that she commits. */
const SUGGESTED = { path: "src/receipts.ts", line: 9, now: 10 };

/** A push that fixes five problems and makes a new one: five conversations are resolved with the commit, and only the new one is said. */
export async function fixedByPush(telling: Telling, number: number): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { ana } = stage;
  const { expect } = expectations;
  screen.step("ana fixes five of them by a push, and makes a new mistake");
  await ana.take(fixture("fixed-partly"));
  const suggested = suggestionAt(stage.github.pullRequest(SHOP, number).reviewComments, SUGGESTED);
  expect("the check of certificates is one edit away", suggested?.includes("rejectUnauthorized"), false);
  await ana.setLine(SUGGESTED.path, SUGGESTED.now, suggested ?? "");
  // A key stays in the history unless the commit that brought it goes.
  const head = await ana.commit("Add vouchers, orders and receipts", { amend: true });
  await ana.push({ force: true });
  screen.say(`Of ${SUGGESTED.path}:${SUGGESTED.line} she takes the suggestion unchanged.`);
  screen.say("The key has to leave the branch's history too, so she amends the commit and pushes by force.", "");

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  const [first, second] = reviewsOf(pull);
  const comments = second?.comments ?? [];
  await showReview(stage, screen, reviewed, comments);
  await keepVerdict(telling, "fixed by a push", reviewed);
  screen.say(`The ${first?.comments.length} comments of the first review are not made again.`);
  const said = await waitForResolved(stage, number, 5);
  screen.say(`Forge resolved five conversations: ${[...new Set(said)].join(" ")}`);
  const short = head.slice(0, 7);
  const fixed = Array<string>(4).fill(`Fixed in \`${short}\`.`);
  const gone = `Gone from the branch's history since \`${short}\`.`;
  expect("the conversations of the five are resolved with the commit", [...said].sort(), [...fixed, gone]);
  expect("the second check fails", check.conclusion, "failure");
  expect("the second review says what is new, alone", comments.map(placeOf), EXPECTED.fixedPartly.fresh);
  const body = second?.body.split("\n")[0] ?? "";
  expect("it says how much is open", body.startsWith("**1 new blocking finding, 2 open in all.**"), true);
  expect("the second check annotates what is open", annotated(check), blockingPlaces(EXPECTED.fixedPartly.open));
  expect("the second check counts what is fixed", /\b5 fixed, 1 new\b/.test(check.summary ?? ""), true);
}

function suggestionAt(comments: readonly Comment[], { path, line }: { path: string; line: number }) {
  const comment = comments.find((each) => each.path === path && each.line === line && each.inReplyTo === null);
  return comment && suggestionOf(comment);
}
