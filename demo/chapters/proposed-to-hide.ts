import { hear } from "../ask.ts";
import { SHOP } from "../github.ts";
import { propose } from "../propose.ts";
import { reviewsOf } from "../show.ts";
import type { Telling } from "../telling.ts";
import { waitForReview } from "../wait.ts";

const SAID = [
  ["ana", "/forge dismiss its setter tidies up what was typed"],
  ["mia", "/forge dismiss on purpose, for the setter"],
  ["ana", "/forge dismiss as above"],
] as const;

/** Two people dismiss three findings of a kind: Forge proposes to hide what is like them. Resolves with the pull request, and the class. */
export async function proposedToHide(telling: Telling): Promise<{ readonly number: number; readonly hiding: string }> {
  const { stage, screen, expectations } = telling;
  const { expect } = expectations;
  screen.step("ana and mia dismiss three findings that say the same, and Forge proposes to hide what is like them");
  const { number, head } = await propose(telling, { title: "Tidy up addresses", branch: "forms", tree: "forms" });
  const { pull } = await waitForReview(stage, screen, number, head);
  const comments = (reviewsOf(pull)[0]?.comments ?? []).toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  expect(
    "three assignments are warned of",
    comments.map(({ line }) => line),
    [13, 14, 15],
  );
  for (const [at, { id, path, line }] of comments.entries()) {
    const [by, body] = SAID[at] ?? SAID[0];
    screen.say(`${screen.paint("bold", by)} writes at ${path}:${line}: ${screen.paint("cyan", body)}`);
    stage.github.replyToReviewComment(SHOP, number, id, { by, body });
  }
  screen.say("");
  const said = await hear(telling, number);
  const hiding = /`\/forge hide (H-\w+)`/.exec(said)?.[1] ?? "";
  expect("it says what that would have hidden so far", said.includes("it would have hidden 3**: 3 dismissed"), true);
  return { number, hiding };
}
