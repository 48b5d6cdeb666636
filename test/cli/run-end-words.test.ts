import { expect, it } from "vitest";
import { endWords } from "../../src/cli/run/end-words.ts";
import type { LocalReport } from "../../src/pipeline/local/report-run.ts";

type Shown = LocalReport["findings"][number];

function open(severity: Shown["severity"], rule: string): Shown {
  return {
    id: "F-AAAA",
    file: "src/sum.js",
    line: 3,
    endLine: 3,
    severity,
    category: "maintainability",
    confidence: 0.9,
    source: "static",
    rule,
    message: "Shorter.",
    state: "open",
    headSha: "a".repeat(40),
  };
}

function ended(findings: readonly Shown[]): string {
  const report: LocalReport = {
    version: 1,
    runId: "01M8DKJMW0GNC4RK947CCB1777",
    task: "Add a sum",
    base: { ref: "main", sha: "b".repeat(40) },
    branch: "forge/1-add-a-sum",
    startedAt: "2026-11-20T10:00:00.000Z",
    lastAt: "2026-11-20T10:01:00.000Z",
    standing: { is: "ready" },
    plans: [],
    tasks: [],
    commits: [],
    notDone: [],
    phases: {},
    bounces: [],
    reviews: [{}],
    findings,
    tests: [],
    gates: [],
    agents: [],
    errors: [],
    totals: { costUsd: 0, tokens: 0, modelCalls: 0, toolCalls: 0, toolErrors: 0, modelMs: 0, toolMs: 0 },
  };
  return endWords(report, "forge run --resume last");
}

it("CLI-4: notes are counted at the end of a run, and never called open findings", () => {
  const notes = ended([open("info", "useTemplate"), open("info", "useConst")]);
  expect(notes).toContain("\nreview: no finding is open, 2 notes, 1 round\n");
  expect(notes).not.toContain("useTemplate");
  const both = ended([open("info", "useTemplate"), open("warning", "noVar")]);
  expect(both).toContain("\nreview: 1 finding open, 1 note, 1 round\n  src/sum.js:3 warning noVar Shorter.\n");
});
