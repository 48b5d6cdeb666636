import { describe, expect, it } from "vitest";
import { assessRisk } from "../../../src/analysis/risk/assess-risk.ts";
import type { Effect } from "../../../src/domain/effects.ts";
import type { HeadTested, TestsProgressed } from "../../../src/domain/inputs.ts";
import { RepoConfig } from "../../../src/domain/repo-config.ts";
import type { RiskReport } from "../../../src/domain/risk.ts";
import type { TestFailure, TestOutcome } from "../../../src/domain/test-report.ts";
import { giveTest } from "../../../src/pipeline/review/commands/give-ask.ts";
import type { SubjectView } from "../../../src/pipeline/review/view.ts";
import { NO_FACTS } from "../../../src/pipeline/runs/subject-facts.ts";
import { changedFile, facts } from "../../analysis/risk/facts.ts";
import {
  A,
  B,
  command,
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

const asked = () => command({ name: "test" });
/** 60 lines in a file, of somebody whose history is not known: medium, and all that is known of the tests is a guess. */
const RISK = assessRisk(facts({ files: [changedFile("a.ts", 60, 0)] }));
const SCORES = { low: 20, medium: 40, high: 60, critical: 80 };
const risky = (level: RiskReport["level"]): RiskReport => ({ ...RISK, sum: SCORES[level] });

const reviewed = (tests: "auto" | "always" | "never", risk: RiskReport | null = RISK) => {
  const configuration = RepoConfig.parse({ review: { tests } });
  return given(
    headChanged(A),
    observed("run-a", A, { configuration }),
    finished("run-a", [], { newRunId: "t1", ...(risk ? { risk } : {}) }),
  );
};

const outcomeOf = (to: Partial<TestOutcome> = {}): TestOutcome => ({
  ...{ headSha: A, outcome: "passed", files: 1, passed: 3, failed: 0, skipped: 0, durationMs: 9 },
  ...{ failures: [], flaky: [], weakened: [] },
  ...to,
});
const tested = (to: Partial<HeadTested> = {}, traceId = "tests:t1"): HeadTested => {
  const input = { type: "head.tested", subject, at: minute(4), newRunId: "x", traceId, costUsd: 0 } as const;
  return { ...input, ...("outcome" in to || to.error || to.cancelled ? {} : { outcome: outcomeOf() }), ...to };
};
const failure = (to: TestFailure["class"]): TestFailure => ({ name: "n", message: "m", class: to });

const testsOf = (story: Story) =>
  story.effects.flatMap((effect) =>
    "check" in effect.payload && effect.payload.check === "forge/tests" ? [effect as Effect] : [],
  );
const said = (story: Story) =>
  testsOf(story).flatMap(({ kind, payload }) => ("conclusion" in payload ? [[kind, payload.conclusion]] : [[kind]]));

describe("TEST-1: tests of heads that people push", () => {
  it.each([
    ["auto", "low", false],
    ["auto", "medium", true],
    ["auto", "critical", true],
    ["always", "low", true],
    ["never", "critical", false],
  ] as const)("are run by themselves: %s, at a risk that is %s: %s", (wish, level, expected) => {
    const story = reviewed(wish, risky(level));
    expect(said(story)).toEqual(wish === "always" ? [["check.open"], ["check.start"]] : []);
    expect(story.facts().tests?.risk).toBe(expected ? level : undefined);
  });

  it("are not run for what was found: that is no reason to", () => {
    const story = given(headChanged(A), observed("run-a", A));
    story.when(finished("run-a", [finding("one", { severity: "critical" })], { risk: risky("low") }));
    expect(said(story)).toEqual([]);
  });

  it("are not run where the change could not be read, nor for what Forge wrote itself", () => {
    expect(said(reviewed("auto", null))).toEqual([]);
    const configuration = RepoConfig.parse({ review: { tests: "always" } });
    const own = given(
      headChanged(A, { implements: { issue: 1, runId: "w" } }),
      observed("run-a", A, { configuration }),
    );
    own.when(finished("run-a", []));
    expect(said(own)).toEqual([]);
  });

  it.each([
    ["passed", outcomeOf(), "success"],
    ["a test says less", outcomeOf({ weakened: [{ path: "t", kind: "deleted_test", what: "w" }] }), "neutral"],
    ["could not be run", outcomeOf({ outcome: "not_run", reason: "There is no sandbox" }), "neutral"],
    ["the place lacks something", outcomeOf({ outcome: "failed", blameless: true }), "neutral"],
    ["failed before as well", outcomeOf({ failures: [failure("existing")] }), "success"],
    // What a model calls a failure takes no blame from it.
    ["a model takes the blame", outcomeOf({ outcome: "failed", failures: [failure("environment")] }), "failure"],
    ["the change breaks one", outcomeOf({ outcome: "failed", failures: [failure("bug")] }), "failure"],
  ] as const)("GH-11a: %s", (_what, outcome, conclusion) => {
    const story = reviewed("auto");
    story.when(tested({ outcome }));
    expect(said(story).at(-1)).toEqual(["check.complete", conclusion]);
    expect(story.when(tested({ outcome })).ignored).toBe("these tests have ended");
  });

  it("PIPE-7: a check that Forge could not come to the end of asks for somebody", () => {
    const story = reviewed("auto");
    story.when(tested({ error: { code: "internal", message: "It broke.", attempts: 3 } }));
    expect(said(story).at(-1)).toEqual(["check.complete", "action_required"]);
  });

  it("RISK-1: what they reach takes the place of a guess, at once and in the next review of this head", () => {
    const story = reviewed("always");
    const before = story.effects.length;
    const coverage = { covered: 30, executable: 30, missed: [] };
    story.when(tested({ outcome: outcomeOf({ coverage }) }));
    const review = story.effects.slice(before).find(({ kind }) => kind === "check.revise");
    const shown = (effect: Effect | undefined) =>
      effect && "report" in effect.payload && effect.payload.report.kind === "reviewed" && effect.payload.report.risk;
    expect(shown(review)).toMatchObject({ components: { testCoverage: { points: 0 } } });
    expect((shown(review) as RiskReport).score).toBeLessThan(RISK.score);
    story.when(headChanged(A, { runId: "run-again", request: { id: "r", reason: "commanded", automatic: false } }));
    story.when(observed("run-again", A));
    story.when(finished("run-again", [], { risk: RISK }));
    const again = story.effects.findLast(({ kind }) => kind === "check.complete");
    expect(shown(again)).toMatchObject({ components: { testCoverage: { points: 0 } } });
    // Known already: they are not run again for a review of the same head.
    expect(said(story).filter(([kind]) => kind === "check.open")).toHaveLength(1);
  });

  it("GH-10a: those that nobody asked for are heard of when they came to something", () => {
    const nothing = outcomeOf({ outcome: "not_run", reason: "There are no tests.", nothingToRun: true });
    const silent = reviewed("auto");
    silent.when(tested({ outcome: nothing }));
    expect(said(silent)).toEqual([]);
    const superseded = reviewed("auto");
    superseded.when(headChanged(B));
    expect(said(superseded)).toEqual([]);
    expect(said(reviewed("auto"))).toEqual([]);
    const wanted = reviewed("always");
    wanted.when(tested({ outcome: nothing }));
    expect(said(wanted).at(-1)).toEqual(["check.complete", "neutral"]);
  });

  it("GH-3: a push cancels the tests of the older head, and a close those of the last", () => {
    const story = reviewed("always");
    story.when(headChanged(B));
    expect(story.cancelledJobs).toContain("tests:t1");
    expect(said(story).at(-1)).toEqual(["check.complete", "cancelled"]);
    expect(story.when(tested()).ignored).toBeDefined();
    story.when(observed("run-b", B));
    story.when(finished("run-b", [], { newRunId: "t2", risk: RISK }));
    story.when({
      type: "pull_request.closed",
      subject,
      at: minute(9),
      newRunId: "x",
      by: { login: "ana", id: 7, kind: "user" },
      merged: false,
    });
    expect(story.cancelledJobs).toContain("tests:t2");
    expect(story.events.get(OWN)?.map(({ type }) => type)).toEqual([
      "tests.requested",
      "tests.ended",
      "tests.requested",
      "subject.closed",
      "tests.ended",
    ]);
  });
});

describe("GH-12: tests of a head say on their check what they do", () => {
  const progressed = (to: Partial<TestsProgressed> = {}): TestsProgressed => ({
    ...({ type: "tests.progressed", subject, at: minute(4), newRunId: "x", traceId: "tests:t1" } as const),
    activity: { doing: "testing", testFiles: 46 },
    ...to,
  });

  it("once for each time that they tell, while they are at work", () => {
    const story = reviewed("always");
    const [open] = testsOf(story);
    story.when(progressed());
    story.when(progressed({ at: minute(5), activity: { doing: "testing", testFiles: 2 } }));
    expect(said(story)).toEqual([["check.open"], ["check.start"], ["check.progress"], ["check.progress"]]);
    const [, , first, second] = testsOf(story);
    expect(first?.payload).toEqual({
      ...{ check: "forge/tests", headSha: A, openKey: open?.key },
      activity: { doing: "testing", testFiles: 46 },
    });
    expect(second?.key).not.toBe(first?.key);
    story.when(tested());
    expect(story.when(progressed({ at: minute(6) })).ignored).toBe("these tests have ended");
    expect(said(story).at(-1)).toEqual(["check.complete", "success"]);
  });

  it("not where they are others, or have no check before their end", () => {
    expect(reviewed("always").when(progressed({ traceId: "tests:t0" })).ignored).toBe("these tests have ended");
    const quiet = reviewed("auto");
    expect(quiet.when(progressed()).ignored).toBe("their check is not there yet");
    expect(said(quiet)).toEqual([]);
  });
});

describe("GH-14: /forge test", () => {
  it("is taken once, for the head that whoever asked has seen, and answered there", () => {
    const story = given(headChanged(A), observed("run-a", A), finished("run-a", []));
    const wanted = asked();
    const { jobs, effects } = story.when(wanted);
    const traceId = `tests:${wanted.newRunId}`;
    expect(jobs).toContainEqual(expect.objectContaining({ kind: "test", payload: { subject, traceId } }));
    expect(effects.flatMap((each) => each.effects.map(({ kind }) => kind))).not.toContain("comment.reply");
    expect(story.when(wanted).ignored).toBeDefined();
    // Somebody else wants the same: they are at work.
    expect(story.when(asked()).jobs.map(({ kind }) => kind)).not.toContain("test");
    const { effects: answers } = story.when(tested({}, traceId));
    expect(answers.flatMap((each) => each.effects.map(({ kind }) => kind))).toEqual([
      "check.complete",
      "comment.react",
      "comment.reply",
    ]);
  });

  it("SEC-1: does not run what is pushed after somebody asked, and says so", () => {
    const story = given(headChanged(A), observed("run-a", A), finished("run-a", []));
    const wanted = asked();
    story.when(wanted);
    story.when(headChanged(B));
    const reply = story.effects.find(({ kind }) => kind === "comment.reply");
    expect(reply?.payload).toMatchObject({
      answer: { kind: "refused", refusal: { reason: "branch_moved", movedTo: B } },
    });
  });

  it("TEST-1: runs as many tests as the review that is at work, or has ended, asks for", () => {
    const risk = { score: 80, level: "critical" };
    const of = (latest: object | undefined) => {
      const view = { facts: NO_FACTS, ...(latest ? { latest: { ends: ends(A), ...latest } } : {}) };
      const outcome = giveTest(view as unknown as SubjectView, asked());
      const event = "events" in outcome ? outcome.events?.[0] : undefined;
      return event?.type === "tests.requested" ? event.payload.risk : "none";
    };
    expect(of(undefined)).toBeUndefined();
    expect(of({ status: "running", risk })).toBe("critical");
    expect(of({ status: "completed", review: { risk } })).toBe("critical");
    expect(of({ status: "failed" })).toBeUndefined();
  });
});

describe("GH-14: /forge override forge/tests", () => {
  const override = (headSha = A) =>
    command(
      { name: "override", check: "forge/tests", reason: "known" },
      { pull: { open: true, ends: ends(headSha), title: "t" } },
    );

  it("passes failing tests on this head, also when they are run again", () => {
    const story = reviewed("auto");
    expect(story.when(override()) && story.refusal()).toMatchObject({ why: "at_work" });
    story.when(tested({ outcome: outcomeOf({ outcome: "failed", failures: [failure("bug")] }) }));
    expect(story.when(override(B)) && story.refusal()).toMatchObject({ why: "other_head" });
    story.when(override());
    expect(said(story).at(-1)).toEqual(["check.revise", "success"]);
    expect(story.when(override()) && story.refusal()).toMatchObject({ why: "passes" });
    const again = asked();
    story.when(again);
    story.when(tested({ outcome: outcomeOf({ outcome: "failed" }) }, `tests:${again.newRunId}`));
    expect(said(story).at(-1)).toEqual(["check.complete", "success"]);
  });

  it("has nothing to pass where none were run, or they pass", () => {
    const none = reviewed("never");
    expect(none.when(override()) && none.refusal()).toMatchObject({ why: "no_check" });
    const story = reviewed("auto");
    story.when(tested());
    expect(story.when(override()) && story.refusal()).toMatchObject({ why: "passes" });
  });
});
