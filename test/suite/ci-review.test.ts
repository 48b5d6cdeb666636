import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { baseOfChange } from "../../.ci/review.ts";
import { parseReview, reasonToStop, reviewLines } from "../../.ci/review-report.ts";

it("DOC-1: CI compares a change with where it began, also the first commit and a shallow checkout", () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-ci-review-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: folder })
      .toString()
      .trim();
  const commit = (message: string) => {
    git("commit", "--quiet", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  const base = (named?: string) => baseOfChange(named, folder);
  git("init", "--quiet", "--initial-branch=main");
  const first = commit("first");
  expect(base()).toBeUndefined();
  expect(base("0".repeat(40))).toBeUndefined();
  const second = commit("second");
  expect(base()).toEqual({ commit: first, isLastCommit: true });
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  // A push to main: its own branch is no base.
  expect(base("")).toEqual({ commit: first, isLastCommit: true });
  git("switch", "--quiet", "-c", "topic");
  const third = commit("third");
  commit("fourth");
  expect(base()).toEqual({ commit: second, isLastCommit: false });
  expect(base(first)).toEqual({ commit: first, isLastCommit: false });
  // What is not in the checkout is not compared with.
  expect(base("f".repeat(40))).toEqual({ commit: second, isLastCommit: false });
  expect(base("--all")).toEqual({ commit: second, isLastCommit: false });
  // Without the server's main branch, the main branch of this checkout says where the topic began.
  git("update-ref", "-d", "refs/remotes/origin/main");
  expect(base()).toEqual({ commit: second, isLastCommit: false });
  // Then the upstream branch says it.
  git("branch", "--quiet", "--move", "main", "other");
  git("branch", "--quiet", "pushed", third);
  git("branch", "--quiet", "--set-upstream-to=pushed");
  expect(base()).toEqual({ commit: third, isLastCommit: false });
  git("branch", "--quiet", "--unset-upstream");
  commit("fifth");
  expect(base()).toEqual({ commit: git("rev-parse", "HEAD^"), isLastCommit: true });
});

const REVIEW = {
  verdict: "approved",
  counts: { critical: 0, error: 0, warning: 0, info: 0, blocking: 0, left_out: 0 },
  looked_at: { files: 2, of_files: 2, added_lines: 9, of_added_lines: 9 },
  not_looked_at: [] as object[],
  findings: [] as object[],
};
const judge = (status: number | null, report: object = {}) =>
  reasonToStop(parseReview(status, JSON.stringify({ ...REVIEW, ...report })));

describe("DOC-1: what CI makes of Forge's review of its own change", () => {
  it("stops by what blocks, whatever the exit code says", () => {
    expect(judge(0)).toBeUndefined();
    expect(judge(2)).toBeUndefined();
    const blocked = (blocking: number) => ({ counts: { ...REVIEW.counts, blocking } });
    expect(judge(1, blocked(2))).toBe("Forge's own review has 2 blocking findings.");
    expect(judge(2, blocked(1))).toBe("Forge's own review has 1 blocking finding.");
    expect(judge(3, blocked(1))).toBe("Forge's own review has 1 blocking finding.");
  });

  it("stops without a report: an exception, wrong usage, a hang, a signal, half of a report", () => {
    const none = "Forge's own review gave no report, so nothing was reviewed.";
    for (const status of [0, 1, 2, 3]) expect(reasonToStop(parseReview(status, ""))).toBe(none);
    expect(reasonToStop(parseReview(0, JSON.stringify(REVIEW).slice(0, -1)))).toBe(none);
    expect(reasonToStop(parseReview(0, "{}"))).toBe(none);
    for (const status of [64, 70, null]) expect(judge(status)).toBe(none);
  });

  it("lets pass what only a network or a model could tell, and nothing else that was not reviewed", () => {
    const asked = (failed: string) =>
      `dependencies: 3 packages added or changed not checked: the advisory service did not answer (${failed})`;
    const gap = (reason: string, layer = "security") => ({
      not_looked_at: [{ layer, reason, incomplete: true }],
    });
    expect(judge(3, gap(asked("it could not be reached")))).toBeUndefined();
    expect(judge(2, gap("no key", "ai"))).toBeUndefined();
    expect(judge(3, gap(`patterns did not run: out of memory; ${asked("status 503")}`))).toBe(
      "Forge's own review is not complete: security: patterns did not run: out of memory.",
    );
    const file = { path: "src/a.ts", reason: "too large", incomplete: true };
    expect(judge(2, { not_looked_at: [file] })).toBe("Forge's own review is not complete: src/a.ts: too large.");
    expect(judge(0, { not_looked_at: [{ ...file, incomplete: false }] })).toBeUndefined();
  });

  it("prints findings, what was not reviewed, and the verdict", () => {
    const finding = { file: "a.ts", line: 3, rule: "t/r", message: "Bad." };
    const report = {
      ...{ ...REVIEW, verdict: "human_required", counts: { ...REVIEW.counts, critical: 1, info: 1, blocking: 1 } },
      not_looked_at: [{ path: "b.ts", reason: "too large", incomplete: true }],
      findings: [
        { ...finding, severity: "critical" },
        { ...finding, severity: "info" },
      ],
    };
    expect(reviewLines(parseReview(2, JSON.stringify(report))!)).toEqual([
      "a.ts:3: critical: Bad. (t/r)",
      "Not reviewed: b.ts: too large",
      "Verdict: human required. Blocking: 1; critical: 1, error: 0, warning: 0. Reviewed 2 of 2 files.",
    ]);
  });
});
