import { StoryFailed } from "../expect.ts";
import { POSTAGE } from "../github.ts";
import { labelIsThere } from "../implement/label.ts";
import { showText } from "../implement/show.ts";
import type { Telling } from "../telling.ts";
import { built } from "./chapters/built.ts";
import { healthy } from "./chapters/healthy.ts";
import { rolledBack } from "./chapters/rolled-back.ts";
import { running } from "./chapters/running.ts";
import { staged } from "./chapters/staged.ts";
import { toldOfError } from "./chapters/told-of-error.ts";
import { WISH } from "./issues.ts";

/** A change is merged and deployed, goes back because it fails under load, and its fix stays. Each chapter has a file of its own. */
export async function tellDeployment(telling: Telling): Promise<void> {
  const { stage, screen } = telling;
  const { company, github, chaos } = stage;
  if (!company) throw new StoryFailed("nothing is there to deploy to");
  const before = await running(telling, company);

  screen.step("ben asks for a number with each price, and Forge builds it");
  const { number } = github.openIssue(POSTAGE, { ...WISH, by: "ben" });
  const wish = { repository: POSTAGE, number };
  showText(screen, `#${number} ${WISH.title}, by ben`, WISH.body);
  await labelIsThere(stage, POSTAGE);
  chaos?.begin();
  const pull = await built(telling, wish);

  screen.step("mia merges, and lets it go to staging");
  const sha = await staged(telling, wish, pull.number);
  await rolledBack(telling, company, wish, { before, sha });
  const error = await toldOfError(telling, company, wish, sha);
  await healthy(telling, company, error);
  if (chaos) telling.expectations.expect("Forge was killed again and again", chaos.crashes.length >= 3, true);
}
