import { configure } from "../configure.ts";
import { annotated } from "../expected.ts";
import { propose } from "../propose.ts";
import { placeOf } from "../report.ts";
import { reviewsOf } from "../show.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { type Reviewed, waitForReview } from "../wait.ts";

const FAULT = "src/delivery.ts:14";

/** What a chapter leaves to the next one. */
export interface ReadByModel {
  readonly number: number;
  readonly head: string;
  readonly reviewed: Reviewed;
  /** Whether Forge could run tests here: it needs a sandbox for that. */
  readonly sandbox: boolean;
}

/** An error that no analyzer sees: a model claims it, another look fails to refute it, and a test shows it. */
export async function readByModel(telling: Telling): Promise<ReadByModel> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("mia has models read changes too, and ana opens a pull request with an error that no analyzer sees");
  await configure(telling, "Have models read changes", ["review:", "  ai: always"]);
  const request = { title: "Say what delivery costs", branch: "delivery", tree: "delivery" };
  const { number, head } = await propose(telling, request);

  const reviewed = await waitForReview(stage, screen, number, head);
  const { pull, check } = reviewed;
  const comments = reviewsOf(pull)[0]?.comments ?? [];
  const summary = check.summary ?? "";
  const sandbox = !summary.includes(NO_SANDBOX);
  await showReview(stage, { ...screen, unfolded: true }, reviewed, comments);
  await keepVerdict(telling, "read by a model", reviewed);
  if (stage.model.kind === "given") {
    screen.say("Nobody knows what a model of yours finds; checked is only what has to hold for every one.");
    const changed = new Set(["src/delivery.ts", "test/delivery.test.ts"]);
    expect(
      "comments are on files of the change",
      comments.filter(({ path }) => !changed.has(path)),
      [],
    );
    const said = AI_RAN.test(summary) || check.conclusion === "action_required";
    expect("the check says that a model looked, or is not green", said, true);
    return { number, head, reviewed, sandbox };
  }
  if (!sandbox) {
    screen.say(
      "Without a sandbox nothing of the shop is run here: the finding is not verified, so it advises and does not block.",
    );
  }
  const severity = sandbox ? "error" : "warning";
  expect("one finding of the model is posted", comments.map(placeOf), [`${FAULT} ${severity}`]);
  expect("what is shown blocks, what is not advises", check.conclusion, sandbox ? "failure" : "neutral");
  expect("the check annotates what blocks", annotated(check), sandbox ? [FAULT] : []);
  expect("claims were tried", counts(summary), `AI (${sandbox ? "1 verified, " : ""}1 refuted)`);
  expect("the check says what it cost", /^\$0\.\d\d \(/m.test(summary), true);
  const body = comments[0]?.body ?? "";
  const verified = "**Verified**: the test below fails on this head and passes with the suggestion.";
  expect("a test was executed for it", body.includes(verified), sandbox);
  expect("it has the test and its output", body.includes("pieces fill parcels, not lines"), sandbox);
  const suggestion = "```suggestion\n  return Math.ceil(lines.reduce((sum, line) => sum + line.quantity, 0)";
  expect("the suggestion was tried before it is offered", body.includes(suggestion), sandbox);
  expect("what was refuted stands nowhere on the pull request", JSON.stringify(pull).includes("NaN"), false);
  return { number, head, reviewed, sandbox };
}

const AI_RAN = /\bAI \(|, AI\b/;
const NO_SANDBOX = "no sandbox";

function counts(summary: string): string | undefined {
  return /AI \([^)]*\)/.exec(summary)?.[0];
}
