import { expect, it } from "vitest";
import type { RiskReport } from "../../../src/domain/risk.ts";
import { giveTest } from "../../../src/pipeline/review/commands/give-ask.ts";
import type { SubjectView } from "../../../src/pipeline/review/view.ts";
import { A, command, finished, given, headChanged, observed } from "./story.ts";

const asked = command({ name: "test" });
const risk = { score: 80, level: "critical" } as RiskReport;
const jobOf = (view: Pick<SubjectView, "latest">) => {
  const outcome = giveTest(view as SubjectView, asked);
  return "decision" in outcome ? outcome.decision?.jobs[0]?.payload : outcome;
};

it("GH-14: is taken once, for the head that whoever asked has seen", () => {
  const story = given(headChanged(A), observed("run-a", A), finished("run-a", []));
  const { jobs, effects } = story.when(asked);
  expect(jobs).toContainEqual(
    expect.objectContaining({ kind: "test", payload: expect.objectContaining({ headSha: A, index: 0 }) }),
  );
  expect(effects.flatMap((each) => each.effects.map(({ kind }) => kind))).not.toContain("comment.reply");
  expect(story.when(asked).ignored).toBeDefined();
});

it("TEST-1: runs as many tests as the review that is at work, or has ended, asks for", () => {
  expect(jobOf({})).not.toHaveProperty("risk");
  expect(jobOf({ latest: { status: "running", risk } as never })).toMatchObject({ risk: "critical" });
  expect(jobOf({ latest: { status: "completed", review: { risk } } as never })).toMatchObject({ risk: "critical" });
  expect(jobOf({ latest: { status: "failed" } as never })).not.toHaveProperty("risk");
});
