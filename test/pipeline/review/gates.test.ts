import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/domain/commands.ts";
import { findBrokenLink } from "../../../src/domain/events.ts";
import type { Gate, GateQuestion } from "../../../src/domain/gates.ts";
import type { CommandGiven, Input, ReviewProgressed, ReviewSuspended } from "../../../src/domain/inputs.ts";
import { replay } from "../../../src/pipeline/review/evolve.ts";
import { projectRun } from "../../../src/pipeline/review/project.ts";
import { ownsSubject, waitsAtGate } from "../../../src/pipeline/review/run-state.ts";
import fc from "../../properties.ts";
import {
  A,
  ana,
  B,
  command,
  ends,
  finding,
  finished,
  given,
  headChanged,
  minute,
  observed,
  Story,
  subject,
} from "./story.ts";

const call = {
  type: "tool_call",
  agentId: "agent:reviewer:1",
  step: 1,
  callId: "call-1",
  tool: "run_tests",
  input: '{"files":["a.test.ts"]}',
  inputCharacters: 23,
  callHash: "1".repeat(64),
  reason: "run_tests needs a person's approval.",
} as const;
const money: GateQuestion = { type: "cost_overrun", usedUsd: 4.1, limitUsd: 5, next: "the change is read on" };
const ben = { login: "ben", id: 8, kind: "user" } as const;

function suspended(question: GateQuestion = call, to: Partial<ReviewSuspended> = {}): ReviewSuspended {
  const base = { subject, at: minute(2), newRunId: "unused", runId: "run-a", needs: "write" } as const;
  return { type: "review.suspended", ...base, question, ...to };
}

/** A run that waits at G-1 since minute 2. */
function waiting(question?: GateQuestion, to?: Partial<ReviewSuspended>): Story {
  return given(headChanged(A), observed("run-a", A), suspended(question, to));
}

const approve: Command = { name: "approve", gate: "G-1" };
const reject: Command = { name: "reject", gate: "G-1", note: "not here" };
const answer = (parsed: Command, to: Partial<CommandGiven> = {}) => command(parsed, { by: ben, role: "write", ...to });

function gates(story: Story): Gate[] {
  return story.runs().flatMap((run) => run.gates ?? []);
}
const standings = (story: Story) => gates(story).map(({ gate, standing }) => `${gate} ${standing.is}`);
const statuses = (story: Story) => story.runs().map((run) => projectRun(run).status);
const DAY_AND_2 = 24 * 60 + 2;

describe("a review that needs a person", () => {
  it("PIPE-8: waits without a worker, with one comment, and with a job for its deadline", () => {
    const story = given(headChanged(A), observed("run-a", A));
    const decision = story.when(suspended());
    expect(statuses(story)).toEqual(["waiting"]);
    expect(story.effectsOf(decision)).toEqual(["gate.show", "check.wait"]);
    const deadline = minute(DAY_AND_2);
    expect(gates(story)).toMatchObject([{ gate: "G-1", headSha: A, deadline, standing: { is: "open" } }]);
    expect(decision.jobs.find(({ kind }) => kind === "review")).toMatchObject({ runId: "run-a", runAt: deadline });
    expect(story.when(observed("run-a", A, { at: minute(3) })).ignored).toBe("it waits for G-1");
    expect(story.when(suspended()).ignored).toBe("G-1 asks that already");
  });

  it("GH-12: says on its check what it does while it is at work, and leaves the buttons alone while it waits", () => {
    const progressed: ReviewProgressed = {
      ...({ type: "review.progressed", subject, runId: "run-a", at: minute(2), newRunId: "unused" } as const),
      activity: { doing: "thinking", model: "m" },
    };
    const story = given(headChanged(A));
    expect(story.when(progressed).ignored).toBe("the run is not at work");
    story.when(observed("run-a", A));
    expect(story.effectsOf(story.when(progressed))).toEqual(["check.progress"]);
    story.when(suspended());
    expect(story.when(progressed).ignored).toBe("the run is not at work");
  });

  it("LOOP-15: each call is asked for by itself, also where a model gives all of them one id", () => {
    const story = waiting();
    story.when(answer(approve));
    story.when(observed("run-a", A, { at: minute(6) }));
    story.when(suspended({ ...call, step: 2 }, { at: minute(7) }));
    expect(standings(story)).toEqual(["G-1 approved", "G-2 open"]);
  });

  it("SAFE-3: money is asked about for two hours", () => {
    expect(gates(waiting(money))).toMatchObject([{ deadline: minute(122), question: { type: "cost_overrun" } }]);
  });

  it.each([
    [approve, "G-1 approved", "G-1 was approved by ben"],
    [reject, "G-1 rejected", "G-1 was rejected by ben"],
    [{ name: "approve" } as const, "G-1 approved", "G-1 was approved by ben"],
  ])("LOOP-15: goes on with an answer: %o", (parsed, standing, reason) => {
    const story = waiting();
    const decision = story.when(answer(parsed));
    expect(standings(story)).toEqual([standing]);
    expect(decision.jobs.find(({ kind }) => kind === "review")).toMatchObject({ runId: "run-a", runAt: minute(5) });
    expect(decision.cancelJobsOfRuns).toEqual(["run-a"]);
    expect(statuses(story)).toEqual(["running"]);
    story.when(observed("run-a", A, { at: minute(6) }));
    expect(story.events.get("run-a")?.at(-1)).toMatchObject({ type: "run.resumed", payload: { reason } });
    story.when(finished("run-a", [finding("AAA")], { at: minute(7) }));
    expect(statuses(story)).toEqual(["completed"]);
  });

  it("the first answer counts; whoever comes second is told", () => {
    const story = waiting();
    story.when(answer(approve));
    story.when(answer(reject, { by: ana }));
    expect(standings(story)).toEqual(["G-1 approved"]);
    expect(story.refusal()).toMatchObject({ reason: "gate_closed", standing: { is: "approved", by: "ben" } });
  });

  it("GH-14: needs push permission, at critical risk maintain; who wrote the change is nobody special", () => {
    const story = waiting(call, { needs: "maintain" });
    story.when(answer(approve, { role: "triage" }));
    expect(story.refusal()).toEqual({ reason: "role", name: "approve", needs: "write", has: "triage" });
    story.when(answer(approve));
    expect(story.refusal()).toEqual({ reason: "role", name: "approve", needs: "maintain", has: "write" });
    story.when(answer(approve, { by: ana, role: "maintain" }));
    expect(standings(story)).toEqual(["G-1 approved"]);
  });

  it("SAFE-3: a gate that nobody answers in time counts as rejected, and no answer comes after", () => {
    const story = waiting();
    story.when(answer(approve, { at: minute(DAY_AND_2) }));
    expect(story.refusal()).toMatchObject({ reason: "gate_closed", standing: { is: "timed_out" } });
    const decision = story.when(observed("run-a", A, { at: minute(DAY_AND_2) }));
    expect(standings(story)).toEqual(["G-1 timed_out"]);
    expect(story.effectsOf(decision)).toEqual(["gate.show", "check.wait"]);
    expect(story.types("run-a").slice(-2)).toEqual(["gate.timeout", "run.resumed"]);
  });

  it("GH-14a: a push voids the gate, once, and an answer to it is refused; so is one before Forge heard of the push", () => {
    const story = waiting();
    story.when(answer(approve, { pull: { open: true, ends: ends(B), title: "" } }));
    expect(story.refusal()).toMatchObject({ reason: "gate_closed", standing: { is: "voided" }, headSha: A, head: B });
    expect(standings(story)).toEqual(["G-1 open"]);
    story.when(headChanged(B, { at: minute(6) }));
    expect(standings(story)).toEqual(["G-1 voided"]);
    expect(gates(story)[0]?.standing).toMatchObject({ byHead: B });
    expect(story.effects.filter(({ key }) => key.endsWith("G-1.voided"))).toHaveLength(1);
    expect(story.types("run-a").slice(-2)).toEqual(["gate.voided", "run.cancelled"]);
    story.when(answer(approve, { pull: { open: true, ends: ends(B), title: "" } }));
    expect(story.refusal()).toMatchObject({ reason: "gate_closed", headSha: A, head: B });
    story.when(observed("run-b", B, { at: minute(7) }));
    story.when(suspended(call, { runId: "run-b", at: minute(8) }));
    expect(standings(story)).toEqual(["G-1 voided", "G-2 open"]);
  });

  it.each([
    ["closed", { type: "pull_request.closed", subject, at: minute(6), newRunId: "x", by: ana, merged: false }],
    ["paused", command({ name: "pause", repository: false })],
    ["stopped", command({ name: "stop" })],
    ["observed as a draft", observed("run-a", A, { at: minute(6), draft: true })],
  ] satisfies [string, Input][])("is over, and its gate void, when it is %s", (_what, input) => {
    const story = waiting();
    story.when(input);
    expect(standings(story)).toEqual(["G-1 voided"]);
    expect(story.effects.some(({ key }) => key.endsWith("G-1.voided"))).toBe(true);
    story.when(answer(approve));
    expect(story.refusal()).toMatchObject({ reason: "gate_closed", standing: { is: "voided" } });
  });

  it("PIPE-8: one that was stopped asks anew when it is resumed", () => {
    const story = waiting();
    expect(story.when(command({ name: "stop" })).cancelJobsOfRuns).toEqual(["run-a"]);
    story.when(command({ name: "resume" }));
    story.when(observed("run-a", A, { at: minute(6) }));
    story.when(suspended(call, { at: minute(7) }));
    expect(standings(story)).toEqual(["G-1 voided", "G-2 open"]);
    expect(statuses(story)).toEqual(["waiting"]);
  });

  it("SAFE-1: raising the budget answers the question about it, and no other", () => {
    const extend: Command = { name: "extend", limit: "usd", amount: 2 };
    const limits = { limits: { usd: 5, iterations: 10, minutes: 30 } };
    const story = waiting(money);
    story.when(answer(extend, limits));
    expect(standings(story)).toEqual(["G-1 approved"]);
    const other = waiting(call);
    other.when(answer(extend, limits));
    expect(standings(other)).toEqual(["G-1 open"]);
  });

  it("a review that is asked for meanwhile gets told what is waited for", () => {
    const story = waiting();
    story.when(command({ name: "review", full: false }));
    expect(statuses(story)).toEqual(["waiting"]);
    const status = { gates: [{ gate: "G-1", deadline: minute(DAY_AND_2) }] };
    expect(story.effects.at(-1)?.payload).toMatchObject({ answer: { kind: "status", status } });
  });

  it("answers name what there is to answer", () => {
    const story = given(headChanged(A), observed("run-a", A));
    story.when(answer({ name: "approve" }));
    expect(story.refusal()).toEqual({ reason: "no_gate" });
    story.when(suspended());
    story.when(answer({ name: "reject", gate: "G-7" }));
    expect(story.refusal()).toEqual({ reason: "unknown_gate", written: "G-7", open: ["G-1"] });
  });
});

const anyStep = fc.record({
  what: fc.constantFrom("approve", "reject", "push", "wake", "late", "stop", "resume", "close"),
  gate: fc.constantFrom("G-1", "G-2", "G-3"),
});

/**
 * A worker as far as gates go: takes the run up when it may, makes the call that was approved and finishes, or asks. It loses all memory in
 * between, as a process that is restarted does.
 */
function work(story: Story, at: string, ran: string[]): void {
  const run = story.runs().find(ownsSubject);
  if (!run) return;
  const { runId } = run;
  const decision = story.when(observed(runId, run.ends.headSha, { at }));
  const began = decision.appends.flatMap(({ events }) => events.map(({ type }) => type));
  if (!began.includes("phase.entered") && !began.includes("run.resumed")) return;
  const asked = (replay(story.events.get(runId)!)?.gates ?? []).findLast(({ standing }) => standing.is !== "voided");
  if (!asked) {
    story.when(suspended({ ...call, agentId: `agent of ${runId}` }, { runId, at }));
    return;
  }
  expect(asked.standing.is).not.toBe("open");
  if (asked.standing.is === "approved") ran.push(runId);
  story.when(finished(runId, [], { at }));
}

it("LOOP-15: any order of answers, pushes, stops, late clocks and restarts runs each call at most once, and only approved", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
      const story = new Story();
      const ran: string[] = [];
      let head = A;
      let now = 0;
      story.when(headChanged(head, { runId: "run-0" }));
      for (const [i, { what, gate }] of steps.entries()) {
        now += what === "late" ? 24 * 60 + 1 : 1;
        const at = minute(now);
        const pull = { open: true, ends: ends(head), title: "" };
        if (what === "push") {
          head = head === A ? B : A;
          story.when(headChanged(head, { at, runId: `run-${i + 1}`, requestId: `push-${i}` }));
        } else if (what === "close") {
          story.when({ type: "pull_request.closed", subject, at, newRunId: "x", by: ana, merged: false });
        } else if (what === "approve" || what === "reject") {
          story.when(answer({ name: what, gate }, { at, pull }));
        } else if (what === "stop" || what === "resume") {
          story.when(answer({ name: what }, { at, pull }));
        } else work(story, at, ran);
        for (const run of story.runs()) {
          // Open gates only where somebody can answer them.
          if (waitsAtGate(run)) expect([run.status, projectRun(run).status]).toEqual(["running", "waiting"]);
        }
        expect(story.runs().filter(ownsSubject).length).toBeLessThanOrEqual(1);
      }
      expect(new Set(ran).size).toBe(ran.length);
      for (const runId of ran) {
        expect(story.types(runId)).toContain("gate.approved");
      }
      const ids = gates(story).map(({ gate }) => gate);
      expect(new Set(ids).size).toBe(ids.length);
      const keys = story.effects.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const events of story.events.values()) expect(findBrokenLink(events)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
