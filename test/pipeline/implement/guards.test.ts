import { expect, it } from "vitest";
import { failedGuard, followGuarded } from "../../../src/pipeline/implement/guards.ts";
import { PIPELINES } from "../../../src/pipeline/runs/definition.ts";
import { A, inReview, inTesting, planned, RUN, reviewed, worked } from "./story.ts";

it("PIPE-4: says which guard of a phase does not hold, and why", () => {
  const story = planned();
  expect(failedGuard(story.run, "implementation", PIPELINES.implement)).toBeUndefined();
  expect(failedGuard(story.run, "review", PIPELINES.implement)).toEqual({
    guard: "changes_made",
    why: "nothing was changed yet",
  });
  story.when(worked(A));
  expect(failedGuard(story.run, "review", PIPELINES.implement)?.guard).toBe("pull_open");
  const blocked = inReview();
  expect(failedGuard(blocked.run, "testing", PIPELINES.implement)?.guard).toBe("head_reviewed");
  blocked.when(reviewed(A, { found: 1 }));
  expect(failedGuard(blocked.run, "review", PIPELINES.implement)?.guard).toBe("work_pushed");
  expect(failedGuard(inTesting().run, "testing", PIPELINES.implement)).toBeUndefined();
});

it("PIPE-1, PIPE-4: what follows a merge is a phase of the definition, which nothing enters before the merge", () => {
  const { implement } = PIPELINES;
  expect(failedGuard(planned().run, implement.merged, implement)?.guard).toBe("pull_open");
  const { run } = inTesting();
  expect(failedGuard(run, implement.merged, implement)).toEqual({
    guard: "pull_merged",
    why: "its pull request is not merged",
  });
  expect(failedGuard({ ...run, mergedAt: "2026-11-01T10:00:00.000Z" }, implement.merged, implement)).toBeUndefined();
});

it("PIPE-4: a decision that enters a phase past its guards does not reach the log", () => {
  const { run } = planned();
  const payload = { phase: "testing", round: 1, reason: "by mistake" } as const;
  const event = { type: "phase.entered", phase: "testing", payload } as const;
  const placed = { ...event, traceId: RUN, version: run.version + 1, at: "2026-11-01T10:00:00.000Z" };
  expect(() => followGuarded(run, [placed], PIPELINES.implement)).toThrow(
    "The phase testing cannot begin, because nothing was changed yet.",
  );
});
