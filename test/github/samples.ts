import type { CheckReport, ReportedFinding } from "../../src/domain/effects.ts";
import type { Finding } from "../../src/domain/findings.ts";
import type { Gate } from "../../src/domain/gates.ts";
import type { ReviewCoverage } from "../../src/domain/review-report.ts";
import type { Wording } from "../../src/github/words/wording.ts";

/** Facts that the tests of words and effects start from. */
export const wording: Wording = { allowedHosts: ["github.com"], redact: (text) => text };

export const headSha = "3f2c1ab0000000000000000000000000000000aa";

export function finding(change: Partial<Finding> = {}): Finding {
  return {
    id: "F-9M4D",
    fingerprint: "f".repeat(64),
    source: "security",
    rule: "forge/shell-injection",
    severity: "error",
    category: "security",
    file: "src/run.ts",
    line: 31,
    endLine: 31,
    message: "`dir` comes from the request and is pasted into a shell command.",
    why: "`?dir=;id` runs `id` on the server.",
    confidence: 0.8,
    ...change,
  };
}

export function coverage(change: Partial<ReviewCoverage> = {}): ReviewCoverage {
  return {
    headSha,
    baseSha: "b".repeat(40),
    mergeBaseSha: "b".repeat(40),
    files: 12,
    filesCovered: 12,
    addedLines: 214,
    addedLinesCovered: 214,
    uncovered: [],
    layers: [
      { layer: "static", state: "ran", tools: [] },
      { layer: "security", state: "ran", tools: [] },
      { layer: "ai", state: "not_configured", tools: [] },
    ],
    notes: [],
    ...change,
  };
}

export type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

export function reviewed(findings: readonly ReportedFinding[], change: Partial<Reviewed> = {}): Reviewed {
  const open = { critical: 0, error: 0, warning: 0, info: 0 };
  for (const { finding } of findings) open[finding.severity] += 1;
  return {
    kind: "reviewed",
    decision: "approve",
    open,
    blocking: findings.filter(
      ({ finding: { severity, confidence, secret } }) => secret || (/error|crit/.test(severity) && confidence >= 0.7),
    ).length,
    findings: [...findings],
    fresh: findings.length,
    fixed: 0,
    back: 0,
    beyondLimit: 0,
    again: false,
    coverage: coverage(),
    durationMs: 42_300,
    costUsd: 0,
    ...change,
  };
}

export function reported(change: Partial<Finding> = {}, more: Partial<ReportedFinding> = {}): ReportedFinding {
  return { finding: finding(change), state: "open", placement: "comment", ...more };
}

export function toolGate(change: Partial<Gate> = {}): Gate {
  return {
    gate: "G-1",
    runId: "run-1",
    headSha,
    deadline: "2026-11-21T14:00:00.000Z",
    needs: "write",
    standing: { is: "open" },
    question: {
      type: "tool_call",
      agentId: "agent:reviewer:1",
      step: 1,
      callId: "call-1",
      tool: "run_tests",
      input: '{"files":["test/cart.test.ts"]}',
      inputCharacters: 31,
      callHash: "1".repeat(64),
      reason: "run_tests needs a person's approval.",
    },
    ...change,
  };
}

export function moneyGate(change: Partial<Gate> = {}): Gate {
  const question = { type: "cost_overrun", usedUsd: 4.1, limitUsd: 5, next: "findings are checked again" } as const;
  return toolGate({ gate: "G-2", deadline: "2026-11-20T16:00:00.000Z", question, ...change });
}
