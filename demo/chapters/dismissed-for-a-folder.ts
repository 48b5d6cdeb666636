import { configure } from "../configure.ts";
import { SHOP } from "../github.ts";
import { propose } from "../propose.ts";
import { sayCommand } from "../say-command.ts";
import { reviewsOf } from "../show.ts";
import { showOutcome } from "../show-outcome.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForReview } from "../wait.ts";

const REASON = "the supplier writes numbers as text";
const COMMAND = `/forge dismiss --path src/imports/** ${REASON}`;

/** What becomes of findings is counted when it is known: at the merge. */
const MERGED = [1, 3];

/** A dismissal with a reason and a scope: the next pull request with the same in that folder is silent, and its check says why. */
export async function dismissedForAFolder(telling: Telling): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("ana dismisses a finding for a whole folder, and the next pull request with the same is silent");
  for (const number of MERGED) await stage.github.mergePullRequest(SHOP, number, "mia");
  screen.say(`${screen.paint("bold", "mia")} merges ${MERGED.map((number) => `#${number}`).join(" and ")}.`);
  await configure(telling, "Review without models", ["review:", "  ai: never"]);
  const first = await propose(telling, { title: "Read the supplier's stock", branch: "stock", tree: "stock" });
  const { pull } = await waitForReview(stage, screen, first.number, first.head);
  const [comment, ...others] = reviewsOf(pull)[0]?.comments ?? [];
  const { reviewed } = await sayCommand(telling, {
    number: first.number,
    by: "ana",
    text: COMMAND,
    thread: comment?.id,
    where: `in the conversation at ${comment?.path}:${comment?.line}, under a warning that values are compared with ==`,
  });
  await showOutcome(stage, screen, reviewed, /^\*\*Dismissed/);
  await keepVerdict(telling, "dismissed for a folder", reviewed);
  expect("one comparison is warned of", [comment?.path, others], ["src/imports/stock.ts", []]);

  const next = await propose(telling, { title: "Read the supplier's prices", branch: "prices", tree: "prices" });
  const silent = await waitForReview(stage, screen, next.number, next.head);
  await showReview(stage, screen, silent, []);
  await keepVerdict(telling, "silent by a dismissal", silent);
  const { comments, reviewComments } = silent.pull;
  expect("the same in the next pull request is not said again", [...comments, ...reviewComments], []);
  expect("its check is green", silent.check.conclusion, "success");
  expect(
    "and says by whose word",
    new RegExp(`Dismissed\\*\\*: \`F-\\w+\` by \`ana\` \\(${REASON}\\)`).test(silent.check.summary ?? ""),
    true,
  );
}
