import { describe, expect, it } from "vitest";
import type { Effect } from "../../../src/domain/effects.ts";
import { FORGE } from "../../../src/domain/subjects.ts";
import { statusOf } from "../../../src/pipeline/implement/status-of.ts";
import { ANA, BEN } from "../../simulation/cast.ts";
import {
  A,
  aPlan,
  B,
  begun,
  inReview,
  inTesting,
  observed,
  opened,
  planned,
  pushed,
  RUN,
  ready,
  reviewed,
  sha,
  THEIRS,
  tested,
  took,
  worked,
} from "./story.ts";

const error = { code: "x", source: "network", severity: "high", recoverability: "manual", context: {} } as const;
const failed = (effect: Pick<Effect, "key" | "kind">) =>
  ({ type: "effect.failed", runId: RUN, effect, error: { ...error, message: "it is protected" } }) as const;

describe("PIPE-8: stop and resume at any time", () => {
  it("before anybody looked at the issue", () => {
    const story = begun();
    const fresh = planned();
    story.command({ name: "stop" });
    expect([story.run.status, story.next]).toEqual(["waiting", "nothing"]);
    story.command({ name: "resume", instructions: "mind the tests" });
    expect([story.next, story.run.instructions]).toEqual(["planning", ["mind the tests"]]);
    fresh.command({ name: "stop" });
    fresh.command({ name: "resume" });
    expect(fresh.next).toBe("implementation");
  });

  it("while GitHub gets the work: what arrives meanwhile is on record, and the rest is sent again", () => {
    const story = planned();
    story.when(worked(A));
    story.command({ name: "stop" });
    story.when(pushed(A));
    story.when(opened);
    expect(story.next).toBe("nothing");
    story.command({ name: "resume" });
    expect(story.next).toBe("review");
    const early = planned();
    early.when(worked(A));
    early.command({ name: "stop" });
    expect(early.command({ name: "resume" }).effects.map(({ kind }) => kind)).toContain("branch.push");
  });

  it("stopping twice, resuming what is at work and stopping what is over change nothing", () => {
    const story = planned();
    story.command({ name: "stop" });
    expect(story.command({ name: "stop" }).types).toEqual(["command.received"]);
    story.command({ name: "resume" });
    expect(story.command({ name: "resume" }).types).toEqual(["command.received"]);
    story.when({ type: "issue.ended", by: BEN, reason: "label_removed" });
    story.command({ name: "stop" });
    expect(story.refusal).toEqual({ reason: "nothing_at_work" });
  });

  it("a stopped test is not a passed one", () => {
    const story = ready();
    story.command({ name: "test" });
    story.command({ name: "stop" });
    story.command({ name: "resume" });
    expect([story.run.status, story.next]).toEqual(["running", "testing"]);
  });
});

describe("SAFE-2, GH-12a: what cannot go on by itself", () => {
  it("a round that was cut off keeps its work in a draft and goes on where it was", () => {
    const story = planned();
    const work = { headSha: A, treeSha: "t", commits: [{ sha: A, subject: "chore: keep work in progress" }] };
    const halted = story.when({ type: "work.halted", ...took, costUsd: 3, reason: "it went in circles", work });
    expect(halted.effects.map(({ kind }) => kind)).toEqual(["branch.push", "issue.status"]);
    expect(statusOf(story.run).ending).toMatchObject({ is: "stopped", reason: "it went in circles" });
    story.when(pushed(A));
    story.when(opened);
    story.command({ name: "resume" });
    expect(story.next).toBe("implementation");
    story.when(worked(A));
    story.when(pushed(A));
    expect(story.next).toBe("review");
  });

  it("LOOP-20: a limit of the whole run is raised from where that stands, not from the phase's", () => {
    const story = inTesting();
    const halt = { type: "work.halted", ...took, costUsd: 3, reason: "150 calls", limit: "iterations" } as const;
    story.when({ ...halt, ofRun: true });
    story.command({ name: "extend", limit: "iterations", amount: 601 });
    expect(story.refusal).toMatchObject({ reason: "above_ceiling", most: 600 });
    const raised = story.command({ name: "extend", limit: "iterations", amount: 10 });
    const said = raised.effects.find(({ kind }) => kind === "comment.reply");
    expect(said?.payload).toMatchObject({ answer: { total: 160, run: "resumed" } });
  });

  it("GH-12a: a draft that GitHub does not turn is said to be one, until a later head is ready", () => {
    const story = ready();
    const turn = [...story.ledger.effects.values()].find(({ effect }) => effect.kind === "pull.ready")!;
    const told = story.when(failed(turn.effect));
    expect(told.effects.map(({ kind }) => kind)).toEqual(["issue.status"]);
    expect(statusOf(story.run).step).toEqual({ is: "ready", leftDraft: "it is protected" });
    story.when({ type: "branch.moved", by: BEN, headSha: THEIRS });
    for (const input of [reviewed(THEIRS), tested(THEIRS)]) story.when(input);
    expect(statusOf(story.run).step).toEqual({ is: "ready" });
  });

  it("a branch that was set back to its base has nothing to review: the run says so, also when it is to go on, until somebody pushes", () => {
    for (const story of [ready(), inReview()]) {
      story.when({ type: "branch.moved", by: BEN, headSha: story.run.base!.sha });
      expect(story.run.stopped?.reason).toContain("was set back to where it began");
      for (const name of ["resume", "retry"] as const) {
        story.command({ name });
        expect([story.run.status, story.next]).toEqual(["waiting", "nothing"]);
      }
      story.when({ type: "branch.moved", by: BEN, headSha: THEIRS });
      expect(story.next).toBe("review");
    }
  });

  it("a push that GitHub refuses stops the run; it is sent again when somebody says so, under a key of its own", () => {
    const story = planned();
    const [push] = story.when(worked(A)).effects;
    expect(story.when(failed(push!)).types).toEqual(["error.escalated", "run.stopped"]);
    const again = story.command({ name: "resume" }).effects.find(({ kind }) => kind === "branch.push");
    expect(again?.payload).toEqual(push!.payload);
    expect(again?.key).not.toBe(push!.key);
  });

  it("a pull request that GitHub refuses, too", () => {
    const story = planned();
    story.when(worked(A));
    const [open] = story.when(pushed(A)).effects;
    story.when(failed(open!));
    const again = story.command({ name: "retry", phase: "implementation" });
    expect([again.types[0], story.next]).toEqual(["run.resumed", "implementation"]);
    story.when(worked(A));
    const next = story.when(pushed(A)).effects.find(({ kind }) => kind === "pull.open");
    expect(next && next.key !== open!.key).toBe(true);
  });

  it("a run that failed for good can be had again while its issue is open", () => {
    const story = planned();
    story.when({ type: "work.failed", runId: RUN, error: { ...error, message: "x" }, attempts: 3, final: true });
    expect(statusOf(story.run).ending).toMatchObject({ is: "failed" });
    story.command({ name: "retry" }, BEN, { issue: { open: false } });
    expect(story.refusal).toEqual({ reason: "closed" });
    story.command({ name: "retry" });
    expect([story.run.status, story.next]).toEqual(["running", "implementation"]);
  });

  it("another plan begins with its own tasks", () => {
    const story = planned();
    story.when({ type: "task.done", runId: RUN, taskId: "1", summary: "done" });
    story.command({ name: "stop" });
    story.command({ name: "retry", phase: "planning" });
    story.when(aPlan());
    expect([story.next, story.run.tasksDone, story.run.plan?.revision]).toEqual(["implementation", [], 2]);
  });
});

describe("GH-6, IMPL-1: somebody else pushes to the branch", () => {
  it("while a head waits for people: theirs is reviewed and tested as ours", () => {
    const story = ready();
    story.when({ type: "branch.moved", by: ANA, headSha: THEIRS });
    expect([story.next, story.run.work?.headSha]).toEqual(["review", THEIRS]);
    story.when(reviewed(THEIRS));
    expect(story.when(tested(THEIRS)).types).toContain("pull.ready");
  });

  it("in the middle of a round: the push at its end finds it, and both are joined before anything is pushed", () => {
    const story = inReview();
    story.when(reviewed(A, { found: 1 }));
    expect(story.when({ type: "branch.moved", by: ANA, headSha: THEIRS }).ignored).toBe("the next push finds it");
    story.when(worked(B));
    story.when(pushed(B, THEIRS));
    expect(story.next).toBe("join");
    const joined = sha("d");
    const [push] = story.when(worked(joined, { joined: THEIRS })).effects;
    expect(push).toMatchObject({ kind: "branch.push", payload: { headSha: joined, expected: THEIRS } });
    story.when(pushed(joined));
    expect(story.next).toBe("review");
  });

  it("told in the next round: that round ends first, then both are joined", () => {
    const story = inReview();
    story.when(reviewed(A, { found: 1 }));
    story.when(worked(B));
    story.command({ name: "stop" });
    story.command({ name: "retry", phase: "implementation" });
    story.when(pushed(B, THEIRS));
    expect(story.next).toBe("join");
    const round = story.when(worked(sha("e")));
    expect(round.effects.map(({ kind }) => kind)).not.toContain("branch.push");
    expect(story.next).toBe("join");
  });

  it("a webhook that comes late does not move the head back; a look at the branch does", () => {
    const story = ready();
    story.when({ type: "branch.moved", by: ANA, headSha: THEIRS });
    expect(story.when({ type: "branch.moved", by: ANA, headSha: A }).ignored).toBe("that head is known");
    story.when({ type: "branch.moved", by: FORGE, headSha: A, looked: true });
    expect(story.run.work?.headSha).toBe(A);
  });

  it("deletes the branch: nothing is made anew before somebody says so", () => {
    const story = inReview();
    story.when(reviewed(A, { found: 1 }));
    story.when(worked(B));
    expect(story.when(pushed(B, null)).types).toEqual(["branch.adopted", "run.stopped"]);
    const push = story.command({ name: "resume" }).effects.find(({ kind }) => kind === "branch.push");
    expect(push?.payload).toMatchObject({ headSha: B, expected: null });
  });

  it("results about a head that is not there any more count for nothing", () => {
    const story = inTesting();
    story.when({ type: "branch.moved", by: ANA, headSha: THEIRS });
    expect(story.when(reviewed(A)).ignored).toBe("that is not the head any more");
    expect(story.when(tested(A)).ignored).toBe("the run is not testing");
    expect(story.when(pushed(A)).ignored).toBe("a later head stands there");
  });

  it("a worker that comes too late changes nothing", () => {
    const story = ready();
    for (const late of [aPlan(), worked(B), reviewed(A), tested(A), opened]) {
      expect(story.when(late).ignored).toBeDefined();
    }
    expect(story.when(observed()).ignored).toBe("it goes on");
  });
});
