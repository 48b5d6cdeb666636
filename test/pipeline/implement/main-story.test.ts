import { describe, expect, it } from "vitest";
import { FORGE, subjectKey } from "../../../src/domain/subjects.ts";
import { projectImplementation, statusOf } from "../../../src/pipeline/implement/status-of.ts";
import { ANA, BEN, ISSUE, PEOPLE } from "../../simulation/cast.ts";
import {
  A,
  aPlan,
  B,
  BRANCH,
  begun,
  IssueStory,
  inReview,
  inTesting,
  observed,
  opened,
  PULL,
  planned,
  pushed,
  RUN,
  ready,
  reviewed,
  tested,
  took,
  worked,
} from "./story.ts";

const [, , CLEO, DAN, EVE] = PEOPLE;

describe("GH-1, PIPE-1: from the label to a merged pull request", () => {
  it("goes through all phases, one fact after the other, and writes each thing once", () => {
    const story = new IssueStory();
    const started = story.command({ name: "implement" }, ANA);
    expect(started.types).toEqual(["run.started", "command.received"]);
    expect(started.jobs.map(({ kind }) => kind)).toContain("implement");
    expect(story.when(observed()).types).toEqual(["work.observed", "phase.entered"]);
    expect(story.next).toBe("planning");
    const plan = story.when(aPlan("low", 1, ["M-7K2Q9MD4"]));
    expect(plan.types).toEqual(["plan.proposed", "phase.completed", "plan.accepted", "phase.entered"]);
    expect(plan.effects.map(({ kind }) => kind)).toEqual(["plan.show", "issue.status"]);
    expect(story.next).toBe("implementation");
    const first = { taskId: "1", summary: "done", commit: { sha: A, subject: "feat: 1" }, memories: ["M-9QX4R2TW"] };
    const task = story.when({ type: "task.done", runId: RUN, ...first });
    expect(task.events[0]?.payload).toMatchObject(first);
    expect(statusOf(story.run).step).toMatchObject({ is: "task", done: 1, all: 2, title: "Task 2" });
    const push = story
      .when(worked(A, { memories: ["M-9QX4R2TW", "M-7K2Q9MD4"] }))
      .effects.find(({ kind }) => kind === "branch.push");
    expect(push?.payload).toEqual({ branch: BRANCH, headSha: A, expected: null });
    expect(story.next).toBe("nothing");
    expect(story.when(pushed(A)).effects.map(({ kind }) => kind)).toEqual(["pull.open", "issue.status"]);
    expect(story.when(opened).types).toEqual(["pull.opened", "phase.entered"]);
    expect(story.next).toBe("review");
    story.when(reviewed(A));
    expect(story.next).toBe("testing");
    const done = story.when(tested(A));
    expect(done.types).toEqual(["test.passed", "phase.completed", "pull.ready"]);
    expect(done.effects.map(({ kind }) => kind)).toEqual([
      "check.complete",
      "pull.describe",
      "pull.ready",
      "issue.status",
    ]);
    expect(done.effects[0]?.payload).toMatchObject({ report: { costUsd: expect.closeTo(0.4) } });
    expect(statusOf(story.run)).toMatchObject({ step: { is: "ready" }, pull: { number: PULL, draft: false } });
    const merged = story.when({ type: "pull.ended", by: BEN, merged: true });
    // What the plan and the work name has helped, each once.
    expect(merged.types).toEqual(["memory.applied", "run.completed"]);
    expect(merged.events[0]?.payload).toMatchObject({
      memoryIds: ["M-7K2Q9MD4", "M-9QX4R2TW"],
      use: "applied",
      cause: `applied:${RUN}`,
    });
    expect(projectImplementation(story.run)).toMatchObject({ status: "completed", conclusion: "success", headSha: A });
    expect(statusOf(story.run).ending).toEqual({ is: "merged" });
  });

  it("SAFE-4: what Forge formatted at its level is counted once for each run, whatever round it was in", () => {
    const story = planned();
    const task = { type: "task.done", runId: RUN, taskId: "1", summary: "done", formatted: 2 } as const;
    expect(story.when(task).events[0]?.payload).toMatchObject({ formatted: 2 });
    const first = story.when(worked(A, { formatted: 2 }));
    expect(first.events.filter(({ type }) => type === "level.acted")).toEqual([
      { type: "level.acted", payload: { level: 2, action: "formatted", headSha: A } },
    ]);
    expect(story.ledger.events.get(subjectKey(ISSUE))?.map(({ type }) => type)).toContain("level.acted");
    story.when(pushed(A));
    story.when(opened);
    story.when(reviewed(A, { found: 1 }));
    expect(story.when(worked(B, { formatted: 2 })).types).not.toContain("level.acted");
    expect(planned().when(worked(A)).types).not.toContain("level.acted");
  });

  it("PIPE-3: a second request is refused while the first is at work", () => {
    const story = planned();
    expect(story.command({ name: "implement" }, BEN).types).toEqual(["command.refused"]);
    expect(story.refusal).toEqual({ reason: "implementing" });
  });

  it("GH-4: one command is carried out once, however often it is told", () => {
    const story = new IssueStory();
    story.command({ name: "implement" }, ANA, { as: 5 });
    expect(story.command({ name: "implement" }, ANA, { as: 5 }).ignored).toBe("this command was settled before");
    expect(story.ledger.runs.size).toBe(1);
  });

  it.each([DAN, EVE])("GH-14: $login, who has the role $role, starts, stops and approves nothing", (by) => {
    const story = new IssueStory();
    story.command({ name: "implement" }, by);
    expect(story.refusal).toMatchObject({ reason: "role", needs: "write", has: by.role });
    expect(story.ledger.runs.size).toBe(0);
    const asked = begun();
    asked.when(aPlan("high"));
    for (const name of ["stop", "approve", "reject", "resume", "retry"] as const) {
      asked.command({ name }, by);
      expect(asked.refusal).toMatchObject({ reason: "role", has: by.role });
    }
    expect(asked.standings()).toEqual(["G-1 architecture_approval open"]);
  });

  it("`plan` ends with the plan", () => {
    const story = new IssueStory();
    story.command({ name: "plan" }, CLEO);
    story.when(observed());
    const made = story.when(aPlan("critical"));
    expect(made.types.at(-1)).toBe("run.completed");
    expect(made.effects.map(({ kind }) => kind)).toEqual(["plan.show", "issue.status"]);
    expect(statusOf(story.run).ending).toEqual({ is: "planned" });
  });

  it("a plan that changes nothing ends without a pull request, and says why", () => {
    const story = planned();
    const { base } = story.run;
    story.when(worked(base!.sha, { commits: [], notDone: ["it is limited already"] }));
    expect(statusOf(story.run).ending).toMatchObject({ is: "nothing_to_do" });
    const early = begun();
    early.when({ type: "work.unnecessary", ...took, costUsd: 0.1, reason: "it is there" });
    expect(early.run.end).toMatchObject({ is: "completed", outcome: "nothing_to_do" });
  });
});

describe("GH-1, GH-7: nobody wants it any more", () => {
  const unlabelled = { type: "issue.ended", by: BEN, reason: "label_removed" } as const;
  const closed = { type: "issue.ended", by: BEN, reason: "issue_closed" } as const;

  it("the label is taken off: the run ends, keeps what it has, and says where", () => {
    const story = inReview();
    const ended = story.when(unlabelled);
    expect(ended.types).toEqual(["run.cancelled"]);
    expect(ended.effects.map(({ kind }) => kind)).toEqual(["issue.status"]);
    expect(statusOf(story.run)).toMatchObject({
      ending: { is: "cancelled", reason: "label_removed", by: "ben" },
      branch: BRANCH,
    });
  });

  it("the issue is closed before there is a pull request", () => {
    const story = planned();
    expect(story.when(closed).types).toEqual(["run.cancelled"]);
    expect(story.when(worked(A)).ignored).toBe("the run is not implementing");
  });

  it("the issue is closed while a pull request is open: a worker looks first whether that was a merge", () => {
    const story = ready();
    const told = story.when(closed);
    expect(told.types).toEqual([]);
    expect(told.jobs.map(({ kind }) => kind)).toEqual(["implement"]);
    story.when({ type: "pull.ended", by: FORGE, merged: true });
    expect(story.run.end).toMatchObject({ is: "completed", outcome: "merged" });
    const open = ready();
    open.when({ ...closed, by: FORGE, pullIsOpen: true });
    expect(open.run.end).toMatchObject({ is: "cancelled", reason: "issue_closed" });
  });

  it("the pull request is closed by hand", () => {
    const story = inTesting("high");
    story.when(tested(A));
    const ended = story.when({ type: "pull.ended", by: ANA, merged: false });
    expect(ended.types).toEqual(["gate.voided", "run.cancelled"]);
    expect(ended.effects.map(({ kind }) => kind)).toEqual(["gate.show", "issue.status"]);
    expect(story.run.end).toMatchObject({ is: "cancelled", reason: "pull_closed", by: "ana" });
  });

  it("what GitHub tells of work that was cancelled meanwhile is on record, and nothing follows from it", () => {
    const story = planned();
    story.when(worked(A));
    story.when(unlabelled);
    expect(story.when(pushed(A))).toMatchObject({ types: ["branch.pushed"], effects: [{ kind: "issue.status" }] });
    expect(story.run.end?.is).toBe("cancelled");
  });

  it("the repository is gone: nothing is written any more", () => {
    const story = inTesting("high");
    story.when(tested(A));
    const gone = story.when({ type: "subject.gone", reason: "repository_gone" });
    expect(gone).toMatchObject({ types: ["gate.voided", "run.cancelled"], effects: [], jobs: [] });
  });
});

describe("GH-5, GH-6: what people and CI say when it is ready", () => {
  const ci = (checkRunId: number, headSha = A) =>
    ({ from: "ci", headSha, name: "build", app: "actions", checkRunId, conclusion: "failure" }) as const;
  const person = { from: "person", reviewId: 9, by: { login: "ben", id: 2, kind: "user" } } as const;
  const failure = { from: "ci", id: "CI-1", name: "build", message: "it failed" } as const;

  it("changes that a person asks for are worked on, reviewed, tested and answered once", () => {
    const story = ready();
    story.when({ type: "pull.signalled", signal: person });
    expect(story.next).toBe("read");
    expect(story.when({ type: "pull.signalled", signal: person }).ignored).toBe("that was taken before");
    const feedback = [
      { from: "person", id: "C1", by: "ben", message: "rename it", file: "src/1.ts", thread: 31 },
      { from: "person", id: "R9", by: "ben", message: "and add a test" },
    ] as const;
    expect(story.when({ type: "signal.read", runId: RUN, signal: person, feedback }).types).toEqual([
      "signal.read",
      "phase.bounced",
      "phase.entered",
    ]);
    const answers = feedback.map(({ id }) => ({ id, done: true, answer: `did ${id}` }));
    const replies = story.when(worked(B, { answers })).effects.filter(({ kind }) => kind === "comment.reply");
    expect(replies.map(({ payload }) => ("thread" in payload ? payload.thread : undefined))).toEqual([31, undefined]);
    story.when(pushed(B));
    story.when(reviewed(B));
    expect(story.when(tested(B)).types.at(-1)).toBe("pull.ready");
    expect(story.when({ type: "pull.signalled", signal: person }).ignored).toBe("that was taken before");
  });

  it("an answer alone changes nothing: the pull request is as ready as it was", () => {
    const story = ready();
    story.when({ type: "pull.signalled", signal: person });
    const feedback = [{ from: "person", id: "R9", by: "ben", message: "why so?" }] as const;
    story.when({ type: "signal.read", runId: RUN, signal: person, feedback });
    const said = story.when(worked(A, { commits: [], answers: [{ id: "R9", done: false, answer: "because" }] }));
    expect(said.types).toEqual(["work.completed", "phase.completed", "pull.ready"]);
    expect(said.jobs.map(({ kind }) => kind)).toContain("implement");
    expect(story.run).toMatchObject({ status: "waiting", phase: "testing" });
  });

  it("CI that fails is mended twice, then a person is asked", () => {
    const story = ready();
    for (const [round, head] of [A, B].entries()) {
      story.when({ type: "pull.signalled", signal: ci(round + 1, head) });
      story.when({ type: "signal.read", runId: RUN, signal: ci(round + 1, head), feedback: [failure] });
      expect(story.next).toBe("implementation");
      const next = round === 0 ? B : "d".repeat(40);
      for (const input of [worked(next), pushed(next), reviewed(next), tested(next)]) story.when(input);
    }
    const third = ci(3, "d".repeat(40));
    story.when({ type: "pull.signalled", signal: third });
    story.when({ type: "signal.read", runId: RUN, signal: third, feedback: [failure] });
    expect(story.standings()).toEqual(["G-1 bounces_used open"]);
    expect(story.run.bounces).toEqual({ ci: 2 });
  });

  it("CI of a head that is not there any more says nothing", () => {
    const story = ready();
    expect(story.when({ type: "pull.signalled", signal: ci(1, B) }).ignored).toBe("that is not the head any more");
  });

  it("what is said while Forge works is read when the head is ready, and lost at no other moment", () => {
    const story = inReview();
    expect(story.when({ type: "pull.signalled", signal: person }).jobs.map(({ kind }) => kind)).toEqual([]);
    const feedback = [{ from: "person", id: "R9", by: "ben", message: "rename it" }] as const;
    expect(story.when({ type: "signal.read", runId: RUN, signal: person, feedback }).ignored).toContain("read again");
    story.when(reviewed(A));
    story.when(tested(A));
    expect(story.next).toBe("read");
  });
});
