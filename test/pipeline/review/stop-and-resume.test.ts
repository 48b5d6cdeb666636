import { describe, expect, it } from "vitest";
import type { RunLimit } from "../../../src/domain/command-arguments.ts";
import type { Command } from "../../../src/domain/commands.ts";
import type { NewEvent } from "../../../src/domain/events.ts";
import type { CommandGiven } from "../../../src/domain/inputs.ts";
import type { LayerReport } from "../../../src/domain/review-report.ts";
import { extensionsOf } from "../../../src/pipeline/runs/subject-facts.ts";
import {
  A,
  ana,
  B,
  command,
  coverage,
  ends,
  finding,
  finished,
  given,
  headChanged,
  minute,
  OWN,
  observed,
  type Story,
  subject,
} from "./story.ts";

const stop: Command = { name: "stop" };
const resume: Command = { name: "resume" };
const extend = (amount: number, limit: RunLimit = "usd"): Command => ({ name: "extend", limit, amount });
const limits = { usd: 2, iterations: 10, minutes: 30 };
const extending = (amount: number, limit?: RunLimit, to: Partial<CommandGiven> = {}) =>
  command(extend(amount, limit), { limits, ...to });

const working = () => given(headChanged(A), observed("run-a", A));
const conclusions = ({ effects }: Story) =>
  effects.flatMap((effect) => (effect.kind === "check.complete" ? [effect.payload.conclusion] : []));

/** Head A was reviewed, and an agent of its AI layer ended at a limit. */
function atLimit(limit: string): Story {
  const story = working();
  const payload = {
    agentId: "agent:reviewer:1",
    steps: 3,
    costUsd: 1.9,
    activeMs: 5,
    reason: "breaker",
    message: "used up",
    limit,
  };
  story.record("run-a", [{ type: "agent.failed", payload }] satisfies NewEvent[]);
  const layers: LayerReport[] = [{ layer: "ai", state: "partly", reason: "used up", tools: [] }];
  story.when(finished("run-a", [finding("AAA")], { coverage: coverage({ layers }) }));
  return story;
}

it("GH-12: what a review does moves its check while it is at work, and no more when it was stopped", () => {
  const story = working();
  const moved = {
    ...({ type: "review.progressed", runId: "run-a", activity: { doing: "thinking", model: "m" } } as const),
    ...{ subject, at: minute(2), newRunId: "unused" },
  };
  const decisions = [story.when(moved), story.when({ ...moved, at: minute(3) })];
  expect(decisions.map((decision) => story.effectsOf(decision))).toEqual([["check.progress"], ["check.progress"]]);
  const keys = story.effects.flatMap(({ kind, key }) => (kind === "check.progress" ? [key] : []));
  expect(new Set(keys).size).toBe(2);
  expect(story.runs()).toMatchObject([{ status: "running" }]);
  story.when(command(stop, { role: "write" }));
  expect(story.when(moved)).toMatchObject({ appends: [], effects: [] });
});

describe("/forge stop", () => {
  it("PIPE-8: the run waits, its check says so, and work in flight is not cut off", () => {
    const story = working();
    const decision = story.when(command(stop, { role: "write" }));
    expect(story.effectsOf(decision)).toEqual(["check.complete", "comment.react"]);
    expect(conclusions(story)).toEqual(["action_required"]);
    expect(story.runs()).toMatchObject([{ status: "waiting", stoppedBy: "ana" }]);
    expect(decision.cancelJobsOfRuns).toEqual([]);
    expect(story.when(finished("run-a", [finding("AAA")])).ignored).toBe("the run has ended");
    expect(story.when(observed("run-a", A)).ignored).toBe("the run has ended");
  });

  it("takes away the work that has not begun", () => {
    expect(given(headChanged(A)).when(command(stop)).cancelJobsOfRuns).toEqual(["run-a"]);
  });

  it("is done when it is done already, and refused where nothing is at work or by triage", () => {
    const story = working();
    story.when(command(stop));
    expect(story.when(command(stop)).appends.map(({ runId }) => runId)).toEqual([OWN]);
    expect(story.refusal()).toBeUndefined();
    story.when(command(stop, { role: "triage" }));
    expect(story.refusal()).toMatchObject({ reason: "role", needs: "write" });
    const idle = atLimit("cost");
    idle.when(command(stop));
    expect(idle.refusal()).toEqual({ reason: "nothing_at_work" });
  });

  it("PIPE-3: a new head takes the place of a stopped run; the same head waits for a person", () => {
    const story = working();
    story.when(command(stop));
    expect(story.when(headChanged(A, { runId: "run-2" })).ignored).toBe("its review was stopped");
    story.when(headChanged(B));
    expect(story.runs()).toMatchObject([{ status: "cancelled" }, { status: "pending" }]);
    expect(conclusions(story)).toEqual(["action_required"]);
  });

  it("a stopped review can be asked for anew, overridden, and ends with its pull request", () => {
    const anew = working();
    anew.when(command(stop));
    anew.when(command({ name: "review", full: false }));
    expect(anew.runs()).toMatchObject([{ status: "cancelled", begun: true }, { status: "pending" }]);
    const passed = working();
    passed.when(command(stop));
    passed.when(command({ name: "override", check: "forge/review", reason: "hotfix" }));
    expect(passed.effects.find(({ kind }) => kind === "check.revise")?.payload).toMatchObject({
      conclusion: "success",
      report: { kind: "stopped", by: "ana" },
    });
    const closed = working();
    closed.when(command(stop));
    const { subject, newRunId } = headChanged(A);
    closed.when({ type: "pull_request.closed", subject, newRunId, at: minute(9), by: ana, merged: false });
    expect(closed.runs()).toMatchObject([{ status: "cancelled" }]);
  });
});

describe("/forge resume", () => {
  it("the same run goes on under a check of its own, and ends like any other", () => {
    const story = working();
    story.when(command(stop));
    const decision = story.when(command({ ...resume, instructions: "only the locking" }));
    expect(decision.jobs.find(({ kind }) => kind === "review")).toMatchObject({ runId: "run-a", key: OWN });
    expect(story.runs()).toMatchObject([{ status: "pending", runId: "run-a", instructions: "only the locking" }]);
    expect(story.effectsOf(story.when(observed("run-a", A, { at: minute(6) })))).toEqual(["check.start"]);
    story.when(finished("run-a", [finding("AAA", { severity: "error" })], { at: minute(7) }));
    expect(story.runs()).toMatchObject([{ status: "completed", conclusion: "failure" }]);
    const keys = story.effects.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is refused where nothing was stopped, where Forge is paused, and with instructions for work in progress", () => {
    const story = given(headChanged(A), observed("run-a", A), finished("run-a", []));
    story.when(command(resume));
    expect(story.refusal()).toEqual({ reason: "nothing_to_resume" });
    const busy = working();
    busy.when(command(resume));
    expect(busy.refusal()).toBeUndefined();
    busy.when(command({ ...resume, instructions: "faster" }));
    expect(busy.refusal()).toEqual({ reason: "at_work" });
    busy.when(command(stop));
    busy.when(command(resume, { pull: { open: false, ends: ends(A), title: "" } }));
    expect(busy.refusal()).toEqual({ reason: "closed" });
    busy.when(command({ name: "pause", repository: false }));
    busy.when(command(resume));
    expect(busy.refusal()).toMatchObject({ reason: "paused" });
  });
});

describe("SAFE-1: /forge extend", () => {
  it.each([
    ["cost", "usd"],
    ["iterations", "iterations"],
    ["time", "minutes"],
  ] as const)("has a review go on that ended at its limit of %s", (breaker, limit) => {
    const story = atLimit(breaker);
    story.when(command(resume));
    expect(story.refusal()).toEqual({ reason: "nothing_to_resume", limit });
    const decision = story.when(extending(2, limit));
    expect(decision.jobs.find(({ kind }) => kind === "review")).toMatchObject({ runId: "run-a" });
    expect(story.runs()).toMatchObject([{ status: "pending" }]);
    expect(story.runs()[0]?.endedAtLimits).toBeUndefined();
    story.when(observed("run-a", A, { at: minute(6) }));
    story.when(finished("run-a", [finding("AAA"), finding("NEW")], { at: minute(7) }));
    expect([...story.ledger.keys()]).toEqual(["F-AAA", "F-NEW"]);
    expect(story.runs()).toMatchObject([{ status: "completed" }]);
  });

  it("raises what was asked for, and has nothing go on that ended otherwise", () => {
    const story = atLimit("iterations");
    story.when(extending(2.5));
    expect(story.runs()).toMatchObject([{ status: "completed" }]);
    expect(story.effects.at(-1)?.payload).toMatchObject({
      answer: { kind: "extended", limit: "usd", total: 4.5, run: "ended" },
    });
    story.when(command(resume));
    expect(story.refusal()).toEqual({ reason: "nothing_to_resume", limit: "iterations" });
  });

  it("adds up to five times what is configured, for the run and no other", () => {
    const story = working();
    story.when(extending(5));
    story.when(extending(3));
    expect(extensionsOf(story.facts(), "run-a")).toMatchObject({ usd: 8, iterations: 0, minutes: 0 });
    expect(extensionsOf(story.facts(), "run-b")).toMatchObject({ usd: 0 });
    story.when(extending(0.01));
    expect(story.refusal()).toEqual({ reason: "above_ceiling", limit: "usd", most: 0 });
    story.when(extending(41, "iterations"));
    expect(story.refusal()).toEqual({ reason: "above_ceiling", limit: "iterations", most: 40 });
    story.when(extending(1, "minutes", { pull: { open: true, ends: ends(B), title: "" } }));
    expect(story.refusal()).toEqual({ reason: "nothing_to_extend" });
  });

  it("leaves a breaker alone that no limit moves", () => {
    const story = atLimit("errors");
    story.when(command(resume));
    expect(story.refusal()).toEqual({ reason: "nothing_to_resume" });
  });

  it("keeps a stopped review stopped", () => {
    const story = working();
    story.when(command(stop));
    story.when(extending(1));
    expect(story.runs()).toMatchObject([{ status: "waiting" }]);
    expect(story.effects.at(-1)?.payload).toMatchObject({ answer: { run: "stopped" } });
  });
});
