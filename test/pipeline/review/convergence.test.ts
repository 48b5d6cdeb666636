import { describe, expect, it } from "vitest";
import { countRounds } from "../../../src/pipeline/review/compare-with-ledger.ts";
import { A, B, finding, finished, given, headChanged, observed, type Story } from "./story.ts";

const error = { severity: "error" } as const;
const asked = { id: "delivery-9", reason: "rerequested", automatic: false } as const;
const changedSince = [{ path: "src/a.ts", ranges: [[10, 12] as const] }];

/** The second review of a pull request whose first found nothing. */
function second(findings: Parameters<typeof finished>[1], to: Parameters<typeof finished>[2], request = {}) {
  const story = given(headChanged(A), observed("run-a", A), finished("run-a", []));
  story.when(headChanged(B, request));
  story.when(observed("run-b", B));
  story.when(finished("run-b", findings, to));
  return story;
}

function commented(story: Story): string[] {
  const effect = story.effects.findLast(({ kind }) => kind === "review.post");
  return effect?.kind === "review.post" ? effect.payload.findings.map(({ id }) => id) : [];
}

function report(story: Story) {
  const effect = story.effects.findLast(({ kind }) => kind === "check.complete");
  if (effect?.kind !== "check.complete" || effect.payload.report.kind !== "reviewed") throw new Error("no report");
  return effect.payload.report;
}

describe("GH-3b: a review after the first", () => {
  it("comments on lines that changed since; what is new elsewhere counts where it blocks, and else not at all", () => {
    const story = second(
      [
        finding("on-it", { line: 10, endLine: 10 }),
        finding("across-it", { line: 8, endLine: 10 }),
        finding("before-it", { ...error, line: 9, endLine: 9 }),
        finding("elsewhere", { file: "src/b.ts", line: 10, endLine: 10 }),
      ],
      { changedSince },
    );
    expect(commented(story)).toEqual(["F-across-it", "F-on-it"]);
    expect(report(story)).toMatchObject({ fresh: 3, blocking: 1, open: { warning: 2, error: 1 } });
    expect([...story.ledger.keys()]).not.toContain("F-elsewhere");
  });

  it("tells a proven error wherever it stands, and an unproven one only on lines that changed", () => {
    const claim = { ...error, source: "ai", rule: "ai/logic", line: 90, endLine: 90 } as const;
    const story = second(
      [
        finding("guess", { ...claim, confidence: 0.69 }),
        finding("shown", { ...claim, confidence: 0.95, verified: "base" }),
        finding("new-guess", { ...claim, line: 11, endLine: 11, confidence: 0.69 }),
      ],
      { changedSince },
    );
    expect(commented(story)).toEqual(["F-shown", "F-new-guess"]);
    expect(report(story)).toMatchObject({ fresh: 2, blocking: 1 });
  });

  it("counts every line as changed for a layer that did not look before, and keeps what was there once", () => {
    const ai = finding("late", { source: "ai", rule: "ai/logic", line: 90, endLine: 90 });
    const story = second([ai], { changedSince, lookedBefore: ["static", "security"] });
    expect(commented(story)).toEqual(["F-late"]);
    expect(report(second([ai], { changedSince, lookedBefore: ["static", "ai"] }))).toMatchObject({ fresh: 0 });
  });

  it("comments on a secret wherever it stands", () => {
    expect(commented(second([finding("key", { secret: true })], { changedSince: [] }))).toEqual(["F-key"]);
  });

  it("counts every line as changed where it cannot be told: a rewritten branch, another base", () => {
    expect(commented(second([finding("bug", error)], {}))).toEqual(["F-bug"]);
  });

  it("says everything in comments when a person asked for it", () => {
    const story = second([finding("bug", error)], { changedSince: [], rounds: 3 }, { request: asked });
    expect(commented(story)).toEqual(["F-bug"]);
  });

  it("brings what stood in the check only into comments when a person asks", () => {
    const story = second([finding("bug", error)], { changedSince: [] });
    const placed = [{ findingId: "F-bug", placement: "annotation" } as const];
    story.when({ ...finished("run-b", []), type: "findings.posted", placed });
    expect(commented(story)).toEqual([]);
    story.when(headChanged(B, { runId: "again", request: asked }));
    story.when(observed("again", B));
    story.when(finished("again", [finding("bug", error)]));
    expect(commented(story)).toEqual(["F-bug"]);
  });
});

describe("GH-3b: after three rounds with comments", () => {
  it("says once that comments stop", () => {
    expect(report(second([finding("bug")], { rounds: 1 })).lastRound).toBeUndefined();
    expect(report(second([finding("bug")], { rounds: 2 })).lastRound).toBe(true);
    expect(report(second([finding("bug")], { rounds: 3 })).lastRound).toBeUndefined();
    expect(report(second([], { rounds: 2 })).lastRound).toBeUndefined();
  });

  it("goes on with the check alone", () => {
    const story = second([finding("bug", error)], { rounds: 3 });
    expect(commented(story)).toEqual([]);
    expect(report(story).blocking).toBe(1);
  });

  it("counts reviews that commented, up to the last one that a person asked for", () => {
    const review = (commented: number, automatic = true) =>
      ({ started: { request: { automatic } }, completed: { commented } }) as Parameters<typeof countRounds>[0][number];
    expect(countRounds([])).toBe(0);
    expect(countRounds([review(2), review(0), review(1)])).toBe(2);
    expect(countRounds([review(2), review(3, false), review(1), review(1)])).toBe(1);
  });
});

describe("GH-3b: advice of its own that was taken", () => {
  const fix = (before: string, after: string, startLine = 4) => {
    return { file: "src/a.ts", startLine, endLine: startLine + before.split("\n").length - 1, before, after };
  };
  const loose = finding("loose", { rule: "eslint/eqeqeq", fix: fix("a == b", "a === b") });

  function then(found: Parameters<typeof finished>[1]) {
    const story = given(headChanged(A), observed("run-a", A), finished("run-a", [loose]));
    story.when(headChanged(B));
    story.when(observed("run-b", B));
    story.when(finished("run-b", found));
    return report(story);
  }

  it("is not contradicted by a rule that would take it back", () => {
    const undo = finding("strict", { rule: "other/no-triple", fix: fix("x\na === b\ny", "x\na == b\ny", 3) });
    expect(then([undo])).toMatchObject({ fixed: 1, fresh: 0, findings: [] });
  });

  it("is contradicted where it was wrong: what blocks is told", () => {
    const undo = finding("strict", { severity: "error", fix: fix("a === b", "a == b") });
    expect(then([undo])).toMatchObject({ fixed: 1, fresh: 1, blocking: 1 });
  });

  it("keeps nothing else from being told: another change of those lines, or the same in another file", () => {
    const other = finding("other", { fix: fix("a === b", "Object.is(a, b)") });
    const elsewhere = finding("elsewhere", {
      file: "src/b.ts",
      fix: { ...fix("a === b", "a == b"), file: "src/b.ts" },
    });
    expect(then([other, elsewhere])).toMatchObject({ fixed: 1, fresh: 2 });
  });

  it("counts only when it was taken: while the finding is open nothing is held back", () => {
    const undo = finding("strict", { fix: fix("a === b", "a == b") });
    expect(then([loose, undo])).toMatchObject({ fixed: 0, fresh: 1 });
  });
});

it("GH-3b: what stood in the check alone, was fixed, and is back is a regression and becomes a comment", () => {
  const bug = finding("bug", error);
  const story = second([bug], { changedSince: [] });
  story.when({
    ...finished("run-b", []),
    type: "findings.posted",
    placed: [{ findingId: "F-bug", placement: "annotation" }],
  });
  const C = "c".repeat(40);
  const D = "d".repeat(40);
  story.when(headChanged(C));
  story.when(observed("run-c", C));
  story.when(finished("run-c", []));
  story.when(headChanged(D));
  story.when(observed("run-d", D));
  story.when(finished("run-d", [bug], { changedSince: [{ path: "src/a.ts", ranges: [[4, 4]] }] }));
  expect(commented(story)).toEqual(["F-bug"]);
});
