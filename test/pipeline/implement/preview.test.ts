import { describe, expect, it } from "vitest";
import { failedGuard } from "../../../src/pipeline/implement/guards.ts";
import { WITH_PREVIEW } from "./preview/definition.ts";
import { showPreview } from "./preview/show-preview.ts";
import { A, aPlan, B, IssueStory, observed, opened, pushed, reviewed, tested, worked } from "./story.ts";

/** A run whose review has passed, in a pipeline with a phase that the program does not have. */
function inPreview(): IssueStory {
  const story = new IssueStory(WITH_PREVIEW);
  story.command({ name: "implement" });
  for (const step of [observed(), aPlan(), worked(A), pushed(A), opened, reviewed(A)]) story.when(step);
  return story;
}

describe("PIPE-1: a phase that is added by data and a folder of its own", () => {
  it("begins after the review, is done by its own work, and leads to the tests", () => {
    const story = inPreview();
    expect([story.run.phase, story.next]).toEqual(["deployment", "deployment"]);
    const passed = story.when(showPreview(story.run, () => true));
    expect(passed.types).toEqual(["phase.completed", "phase.entered"]);
    expect([story.run.phase, story.next, story.run.took.deployment?.times]).toEqual(["testing", "testing", 1]);
    story.when(tested(A));
    expect(story.run.pull?.ready).toBe(true);
  });

  it("sends the work back as often as its data says, and then asks a person", () => {
    const story = inPreview();
    const back = story.when(showPreview(story.run, () => false));
    expect(back.events.map(({ type }) => type)).toEqual(["phase.completed", "phase.bounced", "phase.entered"]);
    expect([story.run.phase, story.run.cause, story.next]).toEqual(["implementation", "conflict", "implementation"]);
    for (const step of [worked(B), pushed(B), reviewed(B)]) story.when(step);
    story.when(showPreview(story.run, () => false));
    expect(story.standings()).toEqual(["G-1 bounces_used open"]);
    expect(story.run.phase).toBe("deployment");
  });

  it("has its own guards, and is of no account in a run that has no such phase", () => {
    const story = inPreview();
    expect(failedGuard({ ...story.run, pull: undefined }, "deployment", WITH_PREVIEW)?.guard).toBe("pull_open");
    const plain = new IssueStory();
    plain.command({ name: "implement" });
    for (const step of [observed(), aPlan(), worked(A), pushed(A), opened, reviewed(A)]) plain.when(step);
    expect(plain.run.phase).toBe("testing");
    expect(plain.when(showPreview(plain.run, () => true)).ignored).toBe("the run is not in deployment");
  });
});
