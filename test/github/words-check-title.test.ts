import { describe, expect, it } from "vitest";
import type { CheckReport } from "../../src/domain/effects.ts";
import type { Conclusion } from "../../src/domain/phases.ts";
import { checkSummary } from "../../src/github/words/check/check-text.ts";
import { checkTitle } from "../../src/github/words/check/check-title.ts";
import { coverage, headSha, reported, reviewed, wording } from "./samples.ts";

const critical = reported({ severity: "critical" });
const error = reported();
const warning = reported({ severity: "warning" });
const info = reported({ severity: "info" });
const unproven = reported({ severity: "critical", source: "ai", confidence: 0.69 });
const secret = reported({ severity: "warning", secret: true });
const failed = [
  {
    layer: "security" as const,
    state: "failed" as const,
    reason: "the search for secrets timed out after 60 s",
    tools: [],
  },
];
const big = { path: "data/a.json", reason: "larger than 1 MB", gap: true };

const TITLES: [string, Conclusion, CheckReport][] = [
  ["Clean: 12 files, 214 added lines", "success", reviewed([info])],
  [
    "Clean: 1 file, 1 added line",
    "success",
    reviewed([], { coverage: coverage({ filesCovered: 1, addedLinesCovered: 1 }) }),
  ],
  ["2 advisory findings, nothing blocking", "neutral", reviewed([warning, warning, info])],
  ["1 advisory finding, nothing blocking", "neutral", reviewed([reported({ confidence: 0.5 })])],
  ["Needs a look: 1 unproven critical finding", "neutral", reviewed([unproven, warning])],
  [
    "Nothing found; not analyzed: src/main.rs (Rust)",
    "neutral",
    reviewed([], { coverage: coverage({ searchedOnly: [{ path: "src/main.rs", reason: "Rust" }] }) }),
  ],
  [
    "1 advisory finding; not analyzed: 2 files (Go, Rust)",
    "neutral",
    reviewed([warning], {
      coverage: coverage({
        searchedOnly: [
          { path: "src/main.rs", reason: "Rust" },
          { path: "main.go", reason: "Go" },
        ],
      }),
    }),
  ],
  ["3 blocking findings: 1 critical, 2 errors", "failure", reviewed([critical, error, error, warning])],
  ["1 blocking error: shell injection in src/run.ts", "failure", reviewed([error, warning])],
  ["1 blocking error: logic error in src/run.ts", "failure", reviewed([reported({ rule: "ai/logic" })])],
  ["1 critical finding: shell injection in src/run.ts", "failure", reviewed([critical])],
  ["1 blocking warning: shell injection in src/run.ts", "failure", reviewed([secret])],
  [
    "3 blocking errors: self-comparison, shell injection",
    "failure",
    reviewed([reported({ rule: "biome/suspicious/noSelfCompare" }), error, error]),
  ],
  [
    "4 blocking errors: assignment to constant, self-comparison, unreachable code, …",
    "failure",
    reviewed([
      ...["correctness/noConstAssign", "suspicious/noSelfCompare", "correctness/noUnreachable"].map((rule) =>
        reported({ rule: `biome/${rule}` }),
      ),
      error,
    ]),
  ],
  [
    "4 blocking errors: const assign, bidirectional class assign, unreachable, …",
    "failure",
    reviewed([
      // Of a tool that Forge does not know: the name of the rule in words.
      ...["noConstAssign", "bidirectional-class-assign", "noUnreachable"].map((rule) =>
        reported({ rule: `x/${rule}` }),
      ),
      error,
    ]),
  ],
  [
    "1 blocking error: shell injection in run.ts",
    "failure",
    reviewed([reported({ file: `src/${"deep/".repeat(15)}run.ts` })]),
  ],
  ["1 blocking error: in src/run.ts", "failure", reviewed([reported({ rule: "tsc/TS2322" })])],
  ["2 blocking errors", "failure", reviewed([reported({ rule: "tsc/TS2322" }), reported({ rule: "tsc/TS2304" })])],
  [
    "Nothing was read: 12 files left out (generated)",
    "success",
    reviewed([], {
      coverage: coverage({
        filesCovered: 0,
        addedLinesCovered: 0,
        uncovered: [{ path: "dist/app.js", reason: "generated", gap: false }],
      }),
    }),
  ],
  [
    "Nothing to read: no file is changed",
    "success",
    reviewed([], { coverage: coverage({ files: 0, filesCovered: 0, addedLines: 0, addedLinesCovered: 0 }) }),
  ],
  [
    "Waiting for a maintainer: critical security finding",
    "action_required",
    reviewed([critical], { decision: "require_human" }),
  ],
  [
    "Not fully reviewed: the search for secrets timed out after 60 s",
    "action_required",
    reviewed([], { coverage: coverage({ layers: failed }) }),
  ],
  [
    "Not fully reviewed: left out data/a.json (larger than 1 MB)",
    "action_required",
    reviewed([], { coverage: coverage({ uncovered: [big] }) }),
  ],
  [
    "Not fully reviewed: left out 2 files",
    "action_required",
    reviewed([], { coverage: coverage({ uncovered: [big, big, { ...big, gap: false }] }) }),
  ],
  ["Left out: draft", "skipped", { kind: "skipped", reason: "draft" }],
  ["Superseded by `3f2c1ab`", "cancelled", { kind: "cancelled", reason: "superseded", byHead: headSha }],
  ["Superseded by a newer push", "cancelled", { kind: "cancelled", reason: "superseded" }],
  ["Stopped: the pull request was closed", "cancelled", { kind: "cancelled", reason: "closed" }],
  ["Stopped: the pull request was merged", "cancelled", { kind: "cancelled", reason: "merged" }],
  [
    "Stopped: Forge was removed from this repository",
    "cancelled",
    { kind: "cancelled", reason: "installation_removed" },
  ],
  ["Stopped: the repository is gone", "cancelled", { kind: "cancelled", reason: "repository_gone" }],
  [
    "Not reviewed: the repository is larger than 2 GB",
    "action_required",
    { kind: "failed", message: "the repository is larger than 2 GB", code: "too_large", attempts: 1 },
  ],
];

describe("the title of a check", () => {
  it.each(TITLES)("%s", (title, conclusion, report) => {
    expect(checkTitle(conclusion, report, wording)).toBe(title);
  });

  it("offers the review command where it fits", () => {
    expect(checkTitle("skipped", { kind: "skipped", reason: "draft", askable: true }, wording)).toBe(
      "Left out: draft (say `/forge review` to have it reviewed now)",
    );
    const long = "label that is a whole sentence by itself";
    expect(checkTitle("skipped", { kind: "skipped", reason: long, askable: true }, wording)).toBe(`Left out: ${long}`);
  });

  it("offers nothing where asking is not what people want", () => {
    const report = { kind: "skipped", reason: "author ben" } as const;
    expect(checkTitle("skipped", report, wording)).toBe("Left out: author ben");
    expect(checkSummary("skipped", report, "01JD", wording)).not.toMatch(/Re-run|\/forge/);
  });

  it("has at most 80 characters, whatever the facts", () => {
    const message = "é\u202e😀".repeat(100);
    for (const report of [
      { kind: "failed", message, code: "x", attempts: 1 } as const,
      { kind: "skipped", reason: message } as const,
      reviewed([], { coverage: coverage({ uncovered: [{ path: message, reason: message, gap: true }] }) }),
    ]) {
      const title = checkTitle("action_required", report, wording);
      expect(title.length).toBeLessThanOrEqual(80);
      expect(title).not.toContain("\u202e");
      expect(title.isWellFormed()).toBe(true);
    }
  });
});
