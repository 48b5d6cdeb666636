import { TALLY } from "../../github.ts";
import { SUM_LINE } from "../../model/tally/edits.ts";
import { commentInPlace } from "../../show.ts";
import type { Telling } from "../../telling.ts";
import { type IssueAt, REQUEST } from "../issue.ts";
import { addedLines, commitsBetween, FORGE, fileAt, pullOf } from "../look.ts";
import { showText } from "../show.ts";
import { waitFor } from "../wait.ts";
import { withoutSha } from "./found-by-review.ts";
import { showChecks, waitUntilReady } from "./mended-and-tested.ts";

/** A person who reads the change sees what neither review nor tests saw: it is worked on, and answered where it was said. */
export async function requested(telling: Telling, issue: IssueAt): Promise<void> {
  const { stage, screen, expectations } = telling;
  const { github, model } = stage;
  const { expect } = expectations;
  screen.step("mia reads it too, and requests a change; Forge makes it, and answers where she said it");
  const { number, headSha: before, baseSha: base } = pullOf(stage, issue)!;
  const added = await addedLines(stage, TALLY, { base, head: before, folder: "src" });
  const line = added.find(({ text }) => text.trim() === SUM_LINE) ?? added.find(({ text }) => text.trim() !== "")!;
  const place = { path: line.path, line: line.line, side: "RIGHT" } as const;
  const review = { by: "mia", event: "REQUEST_CHANGES", comments: [{ ...place, body: REQUEST }] } as const;
  const { id } = await github.submitReview(TALLY, number, review);
  const said = pullOf(stage, issue)!.reviewComments.find(({ reviewId }) => reviewId === id)!;
  screen.say(...commentInPlace(said, await fileAt(stage, TALLY, before, line.path), screen), "");

  const answers = () => {
    const { reviewComments } = pullOf(stage, issue)!;
    // Said again where Forge gave it up.
    const asked = new Set(
      reviewComments.filter(({ by, body }) => by === "mia" && body === REQUEST).map(({ id: at }) => at),
    );
    return reviewComments.filter(({ inReplyTo, by }) => inReplyTo !== null && asked.has(inReplyTo) && by === FORGE);
  };
  const answered = () => answers()[0];
  const pull = await waitUntilReady(telling, issue, before);
  const answer = await waitFor(stage, screen, issue, "mia has an answer", answered);
  showText(screen, "Forge answers in her conversation:", answer.body);
  const commits = await commitsBetween(stage, TALLY, { base: before, head: pull.headSha });
  screen.say(...commits.map((commit) => `  ${commit}`), "");
  await showChecks(telling, TALLY, pull);
  expect("there is one answer", answers().length, 1);
  expect("the pull request is the same", pull.number, number);
  if (model.kind === "given") return;
  expect(
    "it says what was done, and where",
    answer.body.startsWith(`**Done** in \`${pull.headSha.slice(0, 7)}\`.`),
    true,
  );
  expect("one commit was added", commits.map(withoutSha), ["fix: refuse a sum that a line of the file cannot hold"]);
}
