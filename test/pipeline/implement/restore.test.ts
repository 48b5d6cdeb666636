import { describe, expect, it } from "vitest";
import { restorePointOf } from "../../../src/pipeline/implement/restore-point.ts";
import { BEN } from "../../simulation/cast.ts";
import { A, aPlan, begun, type IssueStory, inTesting, reviewed, THEIRS, tested, worked } from "./story.ts";

/** `/forge retry v<n>` to where the phase was entered first. */
function goBackTo(story: IssueStory, phase: string) {
  const { version } = story
    .events()
    .find(({ type, payload }) => type === "phase.entered" && "phase" in payload && payload.phase === phase)!;
  const restore = restorePointOf(story.events(), version);
  return story.command({ name: "retry", checkpoint: version }, BEN, { restore });
}

describe("PIPE-6: back to a checkpoint", () => {
  it("the plan of then is taken up again, with no question about it", () => {
    const story = begun();
    story.when(aPlan("low"));
    story.command({ name: "stop" });
    const first = story.run.plan!.plan;
    story.command({ name: "retry", phase: "planning" });
    story.when(aPlan("high"));
    expect(story.standings()).toEqual(["G-1 architecture_approval open"]);
    expect(goBackTo(story, "implementation").types).toEqual([
      ...[
        "gate.voided",
        "checkpoint.restored",
        "run.resumed",
        "plan.proposed",
        "plan.accepted",
        "phase.entered",
        "command.received",
      ],
    ]);
    expect(story.run.plan).toMatchObject({ plan: first, revision: 3, accepted: true });
    expect(story.next).toBe("implementation");
  });

  it("nobody gets past a review by going back behind it", () => {
    const story = inTesting();
    story.when(tested(A, { outcome: "failed", failed: 1 }));
    story.command({ name: "retry", phase: "review" });
    story.when(reviewed(A, { found: 1 }));
    story.when(worked(A, { commits: [] }));
    expect(story.standings().at(-1)).toBe("G-2 bounces_used open");
    goBackTo(story, "testing");
    expect(story.next).toBe("review");
  });

  it("a round of the implementer that was begun is ended first", () => {
    const story = inTesting();
    story.when(tested(A, { outcome: "failed", failed: 1 }));
    story.command({ name: "retry", phase: "implementation" });
    story.command({ name: "stop" });
    expect(goBackTo(story, "testing").types).toEqual(["command.refused"]);
    expect(story.refusal).toMatchObject({ reason: "not_restorable", why: "the work is not on its branch yet" });
  });

  it("what was read before others acted is looked at again", () => {
    const story = inTesting();
    story.when(tested(A, { outcome: "failed", failed: 1 }));
    const restore = restorePointOf(story.events(), story.run.version);
    story.when({ type: "branch.moved", by: BEN, headSha: THEIRS });
    story.command({ name: "stop" });
    story.command({ name: "retry", checkpoint: story.run.version }, BEN, { restore });
    expect(story.refusal).toMatchObject({ why: "the commits of that moment are not the present ones" });
  });
});
