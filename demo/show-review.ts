import { maskAwsKeys } from "./aws-key.ts";
import { SHOP } from "./github.ts";
import type { Screen } from "./screen.ts";
import { type Comment, checkLine, checkSummary, commentInPlace, mergeBox } from "./show.ts";
import type { Stage } from "./stage.ts";
import type { Reviewed } from "./wait.ts";

/** What a person sees: the line in the list of checks, the page behind it, the given comments in place, the box at the end. */
export async function showReview(
  { github, ana }: Stage,
  screen: Screen,
  { check, pull, seconds }: Reviewed,
  comments: readonly Comment[],
): Promise<void> {
  screen.say(`${checkLine(check, screen)}  ${screen.paint("dim", `(after ${seconds} s)`)}`, "");
  screen.say(...checkSummary(check, { ...screen, unfolded: false }), "");
  for (const comment of [...comments].sort(byPlace)) {
    const lines = await ana.lines(comment.commitId, comment.path);
    screen.say(...commentInPlace(comment, lines.map(maskAwsKeys), screen), "");
  }
  screen.say(mergeBox(await github.mergeability(SHOP, pull.number), screen));
}

/** As in the list of changed files. */
function byPlace(a: Comment, b: Comment): number {
  return a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0);
}
