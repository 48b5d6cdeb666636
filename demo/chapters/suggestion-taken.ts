import { reviewsOf, suggestionOf } from "../show.ts";
import { showReview } from "../show-review.ts";
import type { Telling } from "../telling.ts";
import { keepVerdict } from "../verdict.ts";
import { waitForResolved, waitForReview } from "../wait.ts";
import type { ReadByModel } from "./read-by-model.ts";

/** How ana fixes it if nothing could be tried, so nothing is suggested. */
const MENDED = "  return Math.ceil(lines.reduce((sum, line) => sum + line.quantity, 0) / PIECES_IN_A_PARCEL);";

/** The suggestion is committed: its finding is looked at again and gone, and the conversation is resolved. */
export async function suggestionTaken(telling: Telling, { number, reviewed }: ReadByModel): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { ana } = stage;
  const { expect } = expectations;
  const [comment] = reviewsOf(reviewed.pull)[0]?.comments ?? [];
  if (!comment) return;
  const suggested = suggestionOf(comment);
  screen.step(suggested ? "ana commits the suggestion" : "ana fixes it herself");
  await ana.setLine(comment.path, comment.line ?? 1, suggested ?? MENDED);
  const head = await ana.commit("Count pieces, not lines");
  await ana.push();

  const again = await waitForReview(stage, screen, number, head);
  await showReview(stage, screen, again, []);
  await keepVerdict(telling, "suggestion taken", again);
  const said = await waitForResolved(stage, number, 1);
  screen.say(`Forge resolved the conversation: ${said.join(" ")}`);
  expect("the check of the fixed head succeeds", again.check.conclusion, "success");
  expect("the conversation is resolved with the commit", said, [`Fixed in \`${head.slice(0, 7)}\`.`]);
}
