import type { Telling } from "../telling.ts";
import { foundByReview } from "./chapters/found-by-review.ts";
import { mendedAndTested } from "./chapters/mended-and-tested.ts";
import { merged } from "./chapters/merged.ts";
import { planned } from "./chapters/planned.ts";
import { requested } from "./chapters/requested.ts";

/** An issue becomes a pull request, and the pull request is merged. Each chapter has a file of its own. */
export async function tellImplementation(telling: Telling): Promise<void> {
  const { stage, expectations } = telling;
  const issue = await planned(telling);
  await foundByReview(telling, issue);
  await mendedAndTested(telling, issue);
  await requested(telling, issue);
  await stage.chaos?.calm();
  await merged(telling, issue);
  if (stage.chaos) expectations.expect("Forge was killed again and again", stage.chaos.crashes.length >= 3, true);
}
