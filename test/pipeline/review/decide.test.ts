import { describe, expect, it } from "vitest";
import type { Effect } from "../../../src/domain/effects.ts";
import { DEFAULT_REPO_CONFIG, RepoConfig } from "../../../src/domain/repo-config.ts";
import { A, ana, B, coverage, finding, finished, given, headChanged, minute, observed, subject } from "./story.ts";

const closed = { type: "pull_request.closed", subject, at: minute(3), newRunId: "unused", by: ana } as const;

function completion(effects: readonly Effect[]) {
  const effect = effects.findLast((it) => it.kind === "check.complete");
  if (effect?.kind !== "check.complete") throw new Error("no check was completed");
  return effect.payload;
}

describe("a head that wants a review", () => {
  it("GH-2: starts a run, opens a check at once, and waits out the burst before work begins", () => {
    const story = given();
    const decision = story.when(headChanged(A));
    expect(story.types("run-a")).toEqual(["run.started"]);
    expect(story.effectsOf(decision)).toEqual(["check.open"]);
    expect(decision.jobs.map(({ kind, runAt }) => [kind, runAt])).toEqual([
      ["review", "2026-11-01T10:00:30.000Z"],
      ["effects", minute(0)],
    ]);
  });

  it("GH-3: supersedes the run of the older head, which posts nothing and closes as cancelled", () => {
    const story = given(headChanged(A), observed("run-a", A));
    const decision = story.when(headChanged(B));
    expect(story.types("run-a").at(-1)).toBe("run.cancelled");
    expect(decision.cancelJobsOfRuns).toEqual(["run-a"]);
    expect(story.effectsOf(decision)).toEqual(["check.complete", "check.open"]);
    expect(story.when(finished("run-a", [finding("late")])).ignored).toBe("the run has ended");
    expect(story.runs().map((run) => run.status)).toEqual(["cancelled", "pending"]);
  });

  it("GH-3: joins the run of the same head, and ignores a head that was reviewed", () => {
    const story = given(headChanged(A));
    expect(story.when(headChanged(A, { runId: "again" })).ignored).toBe("this head is being reviewed already");
    story.when(observed("run-a", A));
    story.when(finished("run-a", []));
    expect(story.when(headChanged(A, { runId: "again" })).ignored).toBe("this head was reviewed already");
  });

  it("GH-5: reviews the same head again when a person asks, but takes one request only once", () => {
    const story = given(headChanged(A), observed("run-a", A), finished("run-a", []));
    const request = { id: "delivery-9", reason: "rerequested", automatic: false } as const;
    expect(story.when(headChanged(A, { runId: "again", request })).ignored).toBeUndefined();
    story.when(observed("again", A));
    story.when(finished("again", []));
    expect(story.when(headChanged(A, { runId: "thrice", request })).ignored).toBe("this request was taken before");
  });

  it("GH-2: reviews the same head anew when the base changed", () => {
    const story = given(headChanged(A), observed("run-a", A), finished("run-a", []));
    const request = { id: "delivery-2", reason: "base_changed", automatic: true } as const;
    expect(story.when(headChanged(A, { runId: "other-base", request })).ignored).toBeUndefined();
  });

  it("GH-8b: takes six reviews in an hour, then leaves heads out with a check that says why", () => {
    const story = given();
    for (let n = 0; n < 6; n += 1) {
      const sha = String(n).repeat(40);
      story.when(headChanged(sha, { at: minute(n) }));
      story.when(observed(`run-${n}`, sha, { at: minute(n) }));
      story.when(finished(`run-${n}`, [], { at: minute(n) }));
    }
    const decision = story.when(headChanged(A, { at: minute(6) }));
    expect(story.types("run-a")).toEqual(["run.started", "phase.skipped", "run.completed"]);
    expect(completion(story.effects)).toMatchObject({
      conclusion: "skipped",
      report: { kind: "skipped", reason: "6 reviews in an hour on this pull request" },
    });
    expect(decision.jobs.map((job) => job.kind)).toEqual(["effects"]);
    expect(story.when(headChanged(B, { at: minute(120) })).jobs.map((job) => job.kind)).toContain("review");
  });

  it("a clock that was set back does not lose a review", () => {
    const story = given(headChanged(A, { at: minute(9) }), observed("run-a", A, { at: minute(9) }));
    story.when(finished("run-a", [], { at: minute(1) }));
    expect(story.runs()[0]?.status).toBe("completed");
  });

  it("GH-8b: does not count pushes of a burst, where no work had begun", () => {
    const story = given();
    for (let n = 0; n < 9; n += 1) story.when(headChanged(String(n).repeat(40), { at: minute(0) }));
    expect(story.runs().at(-1)?.status).toBe("pending");
  });

  it("GH-7: a closed pull request cancels its run and closes the check", () => {
    const story = given(headChanged(A));
    story.when({ ...closed, merged: false });
    expect(story.types("run-a")).toEqual(["run.started", "run.cancelled"]);
    expect(completion(story.effects).report).toEqual({ kind: "cancelled", reason: "closed" });
    expect(story.when({ ...closed, merged: false }).ignored).toBe("no run is active here");
  });

  it("GH-9: an installation that is gone cancels without a write", () => {
    const story = given(headChanged(A));
    const gone = { ...closed, type: "subject.gone", reason: "installation_removed" } as const;
    expect(story.effectsOf(story.when(gone))).toEqual([]);
    expect(story.runs()[0]?.status).toBe("cancelled");
  });
});

describe("a worker that looks at the pull request before it works", () => {
  it("PIPE-3: enters the phase with the configuration it will keep", () => {
    const story = given(headChanged(A));
    expect(story.effectsOf(story.when(observed("run-a", A)))).toEqual(["check.start"]);
    expect(story.runs()[0]).toMatchObject({ status: "running", configuration: DEFAULT_REPO_CONFIG });
  });

  it("GH-14a: stops a run whose head is no longer the head", () => {
    const story = given(headChanged(A));
    story.when(observed("run-a", B, {}));
    expect(completion(story.effects).report).toEqual({ kind: "cancelled", reason: "superseded", byHead: B });
  });

  it("PIPE-7: notes a second attempt and goes on", () => {
    const story = given(headChanged(A), observed("run-a", A), observed("run-a", A, { attempt: 2 }));
    expect(story.types("run-a")).toEqual(["run.started", "phase.entered", "run.resumed"]);
    expect(story.when(finished("run-a", [])).ignored).toBeUndefined();
  });

  const skips: [string, Parameters<typeof observed>[2], object][] = [
    ["draft", { draft: true }, {}],
    ["author ana", {}, { authors: { exclude: ["Ana"] } }],
    ["label wip", { labels: ["wip"] }, { labels: { exclude: ["WIP"] } }],
    ["base branch main", {}, { base_branches: ["release"] }],
    ["reviews are switched off in the configuration", {}, { on_pr: false }],
  ];
  it.each(skips)("GH-8d: leaves out by configuration: %s", (reason, facts, review) => {
    const story = given(headChanged(A));
    story.when(observed("run-a", A, { ...facts, configuration: RepoConfig.parse({ review }) }));
    expect(completion(story.effects)).toMatchObject({ conclusion: "skipped", report: { kind: "skipped", reason } });
  });

  it("GH-2: a person who asks gets a review of a draft", () => {
    const request = { id: "delivery-9", reason: "rerequested", automatic: false } as const;
    const story = given(headChanged(A, { request }));
    story.when(observed("run-a", A, { draft: true }));
    expect(story.runs()[0]?.status).toBe("running");
  });
});

describe("the end of a review", () => {
  const review = (...findings: Parameters<typeof finished>[1]) => {
    const story = given(headChanged(A), observed("run-a", A));
    return { story, decision: story.when(finished("run-a", findings)) };
  };

  it("GH-10a: a clean pull request gets a green check and no comment", () => {
    const { story, decision } = review();
    expect(story.effectsOf(decision)).toEqual(["check.complete"]);
    expect(completion(story.effects).conclusion).toBe("success");
  });

  it("GH-10: findings above info become one review, info findings never a comment", () => {
    const { story, decision } = review(finding("note", { severity: "info" }), finding("bug", { severity: "error" }));
    expect(story.effectsOf(decision)).toEqual(["review.post", "check.complete"]);
    const post = story.effects.find((effect) => effect.kind === "review.post");
    expect(post?.kind === "review.post" && post.payload.findings.map((it) => it.id)).toEqual(["F-bug"]);
  });

  const conclusions: [string, Parameters<typeof finding>[1], string, string][] = [
    ["only a note", { severity: "info" }, "success", "approve"],
    ["a warning", { severity: "warning" }, "neutral", "approve"],
    ["an unsure error", { severity: "error", confidence: 0.6 }, "neutral", "approve"],
    ["a sure error", { severity: "error", confidence: 0.7 }, "failure", "request_changes"],
    ["an unsure secret", { secret: true, confidence: 0.3 }, "failure", "request_changes"],
    [
      "an unproven critical finding",
      { severity: "critical", source: "ai", confidence: 0.69 },
      "neutral",
      "require_human",
    ],
    ["a critical security finding", { severity: "critical", category: "security" }, "failure", "require_human"],
  ];
  it.each(conclusions)("REV-3a, GH-11a: %s", (_name, to, conclusion, decision) => {
    const { story } = review(finding("x", to));
    expect(completion(story.effects)).toMatchObject({ conclusion, report: { decision } });
  });

  it("GH-11a: is never green when a required layer did not run or a file was not looked at", () => {
    for (const missing of [
      coverage({ layers: [{ layer: "security", state: "failed", reason: "it crashed", tools: [] }] }),
      coverage({ uncovered: [{ path: "big.ts", reason: "larger than 1 MB", gap: true }] }),
    ]) {
      const story = given(headChanged(A), observed("run-a", A));
      story.when(finished("run-a", [], { coverage: missing }));
      expect(completion(story.effects).conclusion).toBe("action_required");
    }
  });

  it("a generated file that is left out as intended does not spoil the conclusion", () => {
    const story = given(headChanged(A), observed("run-a", A));
    const left = coverage({ uncovered: [{ path: "dist/a.js", reason: "generated", gap: false }] });
    story.when(finished("run-a", [], { coverage: left }));
    expect(completion(story.effects).conclusion).toBe("success");
  });

  it.each([
    ["binary", "neutral"],
    ["a symbolic link", "neutral"],
    ["deleted", "success"],
  ])("GH-11a: a change of which nothing was read because it is %s is %s", (reason, conclusion) => {
    const story = given(headChanged(A), observed("run-a", A));
    const uncovered = [{ path: "a", reason, gap: false }];
    const left = coverage({ files: 1, filesCovered: 0, addedLines: 0, addedLinesCovered: 0, uncovered });
    story.when(finished("run-a", [], { coverage: left }));
    expect(completion(story.effects).conclusion).toBe(conclusion);
  });

  it("GH-12a: the last failure ends the run, and its check asks for action", () => {
    const story = given(headChanged(A), observed("run-a", A));
    const error = { code: "disk_full", source: "resource", severity: "high", recoverability: "manual" } as const;
    const failed = { ...finished("run-a", []), type: "review.failed", attempts: 1 } as const;
    const facts = { ...error, message: "No space left.", context: {} };
    story.when({ ...failed, error: facts, final: false });
    expect(story.runs()[0]?.status).toBe("running");
    story.when({ ...failed, error: facts, attempts: 3, final: true });
    expect(story.runs()[0]?.status).toBe("failed");
    expect(completion(story.effects)).toMatchObject({
      conclusion: "action_required",
      report: { kind: "failed", message: "No space left.", attempts: 3 },
    });
  });
});

describe("GH-3: deliveries out of order", () => {
  const opened = { id: "delivery-late", reason: "opened", automatic: true } as const;

  it.each([
    ["an opening after a push", { request: opened }],
    ["a push that is older than what started the review", { updatedAt: "2026-11-01T09:00:00Z" }],
  ])("leave a running review alone: %s", (_name, late) => {
    const story = given(headChanged(B, { updatedAt: "2026-11-01T10:00:00Z" }), observed("run-b", B));
    const decision = story.when(headChanged(A, late));
    expect(decision.ignored).toBeDefined();
    expect(story.runs().map(({ runId, status }) => [runId, status])).toEqual([["run-b", "running"]]);
  });

  it("leave a review alone that saw a later state itself", () => {
    const story = given(headChanged(B), observed("run-b", B, { updatedAt: "2026-11-01T10:00:00Z" }));
    expect(story.when(headChanged(A, { updatedAt: "2026-11-01T09:59:59Z" })).ignored).toBeDefined();
    expect(story.when(headChanged(A, { updatedAt: "2026-11-01T10:00:00Z" })).ignored).toBeUndefined();
  });
});

describe("the ledger over several heads", () => {
  const posted = (runId: string, findingId: string) => {
    const placed = [{ findingId, placement: "comment", commentId: 1 } as const];
    return { ...finished(runId, []), type: "findings.posted", placed } as const;
  };
  const second = (findings: Parameters<typeof finished>[1], to = {}) => {
    const story = given(
      headChanged(A),
      observed("run-a", A),
      finished("run-a", [finding("bug", { severity: "error" })]),
      posted("run-a", "F-bug"),
      headChanged(B),
      observed("run-b", B),
    );
    return { story, decision: story.when(finished("run-b", findings, to)) };
  };

  it("GH-3a: what was posted is not posted again, and still counts", () => {
    const { story, decision } = second([finding("bug", { severity: "error", line: 9, endLine: 9 })]);
    expect(story.effectsOf(decision)).toEqual(["check.complete"]);
    expect(completion(story.effects)).toMatchObject({ conclusion: "failure", report: { fresh: 0, again: true } });
  });

  it("GH-3a: a finding that is gone from a file that was looked at is fixed", () => {
    const { story } = second([]);
    expect(completion(story.effects)).toMatchObject({ conclusion: "success", report: { fixed: 1 } });
    expect(story.ledger.get("F-bug")?.state).toBe("fixed");
  });

  it("GH-3a: a finding whose file left the change is outdated, and back when it is there again; a secret is in the history still", () => {
    const { story } = second([], { left: ["src/total.ts"] });
    const left = story.ledger.get("F-bug")!.finding.file;
    const again = second([], { left: [left] });
    expect(story.ledger.get("F-bug")?.state).toBe("fixed");
    expect(again.story.ledger.get("F-bug")?.state).toBe("outdated");
    expect(completion(again.story.effects)).toMatchObject({ conclusion: "success", report: { fixed: 0 } });
    expect(again.story.effects.at(-1)?.payload).toMatchObject({ because: { kind: "outdated", headSha: B } });
    const C = "c".repeat(40);
    again.story.when(headChanged(C));
    again.story.when(observed("run-c", C));
    const back = again.story.when(finished("run-c", [finding("bug", { severity: "error" })]));
    expect(again.story.effectsOf(back)).toEqual(["check.complete", "thread.reopen"]);
    expect(again.story.ledger.get("F-bug")?.state).toBe("regressed");

    const secret = given(headChanged(A), observed("run-a", A), finished("run-a", [finding("key", { secret: true })]));
    secret.when(headChanged(B));
    secret.when(observed("run-b", B));
    secret.when(finished("run-b", [], { left: [left] }));
    expect(secret.ledger.get("F-key")?.state).toBe("fixed");
  });

  it("GH-3a: the thread of a finding that is fixed is resolved, and opened again when it is back", () => {
    const { story, decision } = second([]);
    const because = { kind: "fixed", headSha: B };
    expect(story.effectsOf(decision)).toEqual(["check.complete", "thread.resolve"]);
    expect(story.effects.at(-1)?.payload).toEqual({ findingId: "F-bug", commentId: 1, because });
    const C = "c".repeat(40);
    story.when(headChanged(C));
    story.when(observed("run-c", C));
    const again = story.when(finished("run-c", [finding("bug", { severity: "error" })]));
    expect(story.effectsOf(again)).toEqual(["check.complete", "thread.reopen"]);
    expect(story.effects.at(-1)?.payload).toEqual({ findingId: "F-bug", commentId: 1, headSha: C });
  });

  it("GH-3a: a finding that never became a comment has no thread to resolve", () => {
    const story = given(headChanged(A), observed("run-a", A), finished("run-a", [finding("bug")]));
    story.when(headChanged(B));
    story.when(observed("run-b", B));
    expect(story.effectsOf(story.when(finished("run-b", [])))).toEqual(["check.complete"]);
  });

  it("GH-3a: a finding stays open when nobody looked", () => {
    const { story } = second([], {
      coverage: coverage({ uncovered: [{ path: "src/a.ts", reason: "larger than 1 MB", gap: true }] }),
    });
    expect(completion(story.effects)).toMatchObject({ conclusion: "failure", report: { fixed: 0 } });
  });

  it("GH-3a: a finding that comes back is regressed, not new", () => {
    const { story } = second([]);
    const C = "c".repeat(40);
    story.when(headChanged(C));
    story.when(observed("run-c", C));
    story.when(finished("run-c", [finding("bug", { severity: "error" })]));
    expect(completion(story.effects)).toMatchObject({ report: { fresh: 0, back: 1 } });
    expect(story.ledger.get("F-bug")?.state).toBe("regressed");
  });
});
