import { budgetUsedUp } from "./chapters/budget-used-up.ts";
import { counted } from "./chapters/counted.ts";
import { dismissedByComment } from "./chapters/dismissed-by-comment.ts";
import { dismissedForAFolder } from "./chapters/dismissed-for-a-folder.ts";
import { fixedByPush } from "./chapters/fixed-by-push.ts";
import { foundInPlace } from "./chapters/found-in-place.ts";
import { hiddenAndProbed } from "./chapters/hidden-and-probed.ts";
import { judgedAnew } from "./chapters/judged-anew.ts";
import { overridden } from "./chapters/overridden.ts";
import { proposedToHide } from "./chapters/proposed-to-hide.ts";
import { readByModel } from "./chapters/read-by-model.ts";
import { refutedInTheLog } from "./chapters/refuted-in-the-log.ts";
import { silence } from "./chapters/silence.ts";
import { suggestionTaken } from "./chapters/suggestion-taken.ts";
import type { Telling } from "./telling.ts";

/** One pull request from its first review to a green check, and one that has nothing to say. Each chapter has a file of its own. */
export async function tellReviews(telling: Telling): Promise<void> {
  const vouchers = await foundInPlace(telling);
  await fixedByPush(telling, vouchers);
  await dismissedByComment(telling, vouchers);
  await overridden(telling, vouchers);
  await judgedAnew(telling, vouchers);
  await silence(telling);
  await tellOfModels(telling);
  await tellOfLearning(telling);
}

/** What a model adds to a review, and what becomes of what it says. */
async function tellOfModels(telling: Telling): Promise<void> {
  const delivery = await readByModel(telling);
  await refutedInTheLog(telling, delivery);
  // Whether another model finds the error, and what it suggests then, is unknown.
  if (telling.stage.model.kind === "scripted") await suggestionTaken(telling, delivery);
  await budgetUsedUp(telling);
}

/** What people's word comes to after the finding it was given on. */
async function tellOfLearning(telling: Telling): Promise<void> {
  await dismissedForAFolder(telling);
  const proposed = await proposedToHide(telling);
  const number = await hiddenAndProbed(telling, proposed);
  await counted(telling, number);
}
