import { makeAwsKey } from "./aws-key.ts";
import type { Expectations } from "./expect.ts";
import { EXPECTED } from "./expected.ts";
import { CHECK, fixture, SHOP } from "./github.ts";
import { placeOf } from "./report.ts";
import type { Screen } from "./screen.ts";
import { reviewsOf } from "./show.ts";
import { showReview } from "./show-review.ts";
import type { Stage } from "./stage.ts";
import { type Reviewed, waitForResolved, waitForReview } from "./wait.ts";

export interface Telling {
  readonly stage: Stage;
  readonly screen: Screen;
  readonly expectations: Expectations;
  /** The numbers of the pull requests that were opened, filled while it is told. */
  readonly opened: number[];
}

const MERGEABLE = { mergeable: true, missingChecks: [] };

export async function tellStory(telling: Telling): Promise<void> {
  const number = await firstReview(telling);
  await partlyFixed(telling, number);
  await allFixed(telling, number);
  await cleanChange(telling);
}

async function firstReview(telling: Telling): Promise<number> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  const key = makeAwsKey();
  screen.step("ana pushes a branch and opens a pull request");
  const request = { title: "Add vouchers, orders and receipts", branch: "vouchers", tree: "head" };
  const { number, head } = await propose(telling, { ...request, replace: { "{{aws-key}}": key } });

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  const comments = reviewsOf(pull)[0]?.comments ?? [];
  await showReview(stage, screen, reviewed, comments);
  expect("the first check fails", check.conclusion, "failure");
  expect("the first review finds what is seeded", comments.map(placeOf).sort(), EXPECTED.head);
  expect("annotations stand where findings block", annotated(reviewed), blocking(EXPECTED.head));
  expect("it is one review, of the head", reviewsOf(pull).map(idOfReview), [`${head} COMMENTED`]);
  expect("two comments suggest a change", comments.filter(({ body }) => body.includes("```suggestion")).length, 2);
  expect("the key is quoted nowhere", JSON.stringify(pull).includes(key), false);
  return number;
}

async function partlyFixed(telling: Telling, number: number): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { ana } = stage;
  const { expect } = expectations;
  screen.step("ana fixes five of them, and makes a new mistake");
  await ana.take(fixture("fixed-partly"));
  // A key stays in the history unless the commit that brought it goes.
  const head = await ana.commit("Add vouchers, orders and receipts", { amend: true });
  await ana.push({ force: true });
  screen.say("The key has to leave the branch's history too, so she amends the commit and pushes by force.", "");

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  const [first, second] = reviewsOf(pull);
  const comments = second?.comments ?? [];
  await showReview(stage, screen, reviewed, comments);
  screen.say(`The ${first?.comments.length} comments of the first review are not made again.`);
  const said = await waitForResolved(stage, number, 5);
  const short = head.slice(0, 7);
  screen.say(`Five conversations are resolved: ${[...new Set(said)].join(" ")}`);
  const fixed = `Fixed in \`${short}\`.`;
  const gone = `Gone from the branch's history since \`${short}\`.`;
  expect("the conversations of the five are resolved with the commit", [...said].sort(), [
    ...Array(4).fill(fixed),
    gone,
  ]);
  expect("the second check fails", check.conclusion, "failure");
  expect("the second review says what is new, alone", comments.map(placeOf), EXPECTED.fixedPartly.fresh);
  expect("the second check annotates what is still open", annotated(reviewed), blocking(EXPECTED.fixedPartly.open));
  expect("the second check counts what is fixed", /\b5 fixed, 1 new\b/.test(check.summary ?? ""), true);
}

async function allFixed(telling: Telling, number: number): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { ana, github } = stage;
  const { expect } = expectations;
  screen.step("ana fixes the rest");
  await ana.take(fixture("fixed"));
  const head = await ana.commit("Compare with what was there before");
  await ana.push();
  screen.say("She pushes another commit.", "");

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  await showReview(stage, screen, reviewed, []);
  const { head: seeded, fixedPartly } = EXPECTED;
  const checks = pull.allCheckRuns.map(({ headSha, name }) => `${headSha} ${name}`);
  expect("the last check succeeds", check.conclusion, "success");
  expect("the last check has no annotations", annotated(reviewed), []);
  const comments = pull.reviewComments.filter(({ inReplyTo }) => inReplyTo === null);
  expect("a fixed head gets no review", reviewsOf(pull).length, 2);
  expect("no comment is made twice", comments.length, seeded.length + fixedPartly.fresh.length);
  expect("there were three heads", pull.heads.length, 3);
  expect("each head has one check", checks.sort(), pull.heads.map((sha) => `${sha} ${CHECK}`).sort());
  expect("nothing is said in the conversation", pull.comments, []);
  expect("the fixed pull request can be merged", await github.mergeability(SHOP, number), MERGEABLE);
}

async function cleanChange(telling: Telling): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("ana opens another pull request, and there is nothing to say about it");
  const request = { title: "Search products by name", branch: "search", tree: "clean" };
  const { number, head } = await propose(telling, request);

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  await showReview(stage, screen, reviewed, []);
  screen.say("No review, no comment: nobody is disturbed.");
  expect("the check of a clean change succeeds", check.conclusion, "success");
  expect("a clean change gets no annotation", annotated(reviewed), []);
  expect("a clean change gets no review", pull.reviews, []);
  expect("a clean change gets no comment", [...pull.comments, ...pull.reviewComments], []);
  expect("the clean pull request can be merged", await stage.github.mergeability(SHOP, number), MERGEABLE);
}

interface Proposal {
  readonly title: string;
  readonly branch: string;
  /** Folder of the seeded shop. */
  readonly tree: string;
  readonly replace?: Readonly<Record<string, string>>;
}

/** One commit on a new branch, pushed, and a pull request of it. */
async function propose({ stage, screen, opened }: Telling, { title, branch, tree, replace = {} }: Proposal) {
  const { ana, github } = stage;
  await ana.branch(branch);
  await ana.take(fixture(tree), replace);
  const head = await ana.commit(title);
  await ana.push();
  const { number } = await github.openPullRequest(SHOP, { title, head: branch, by: ana.login });
  opened.push(number);
  screen.say(`#${number} ${title}: ${await ana.size()}`, "");
  return { number, head };
}

function idOfReview({ commitId, state }: Reviewed["pull"]["reviews"][number]): string {
  return `${commitId} ${state}`;
}

function annotated({ check }: Reviewed): string[] {
  return check.annotations.map(({ path, start_line }) => `${path}:${start_line}`).sort();
}

function blocking(places: readonly string[]): string[] {
  return places.filter((place) => !place.endsWith(" warning")).map((place) => place.split(" ")[0]!);
}
