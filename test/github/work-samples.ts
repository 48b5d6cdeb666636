import type { Gate, GateQuestion } from "../../src/domain/gates.ts";
import type { ImplementationStatus, PullDescription } from "../../src/domain/implementation-status.ts";
import type { Estimate, Plan } from "../../src/domain/plan.ts";
import type { TestOutcome } from "../../src/domain/test-report.ts";
import { headSha } from "./samples.ts";

/** Facts about the work on an issue that the tests of words and effects start from. */
export function plan(change: Partial<Plan> = {}): Plan {
  return {
    title: "Rate-limit the login endpoint",
    kind: "feat",
    summary: "Passwords can be tried without end. After five attempts in a minute the endpoint says 429.",
    constraints: ["no new dependency"],
    decisions: ["the window is kept in memory, behind a port"],
    tasks: [
      {
        id: "limiter",
        title: "a sliding window per address and account",
        description: "Keep the moments of the last minute.\n\n- forget older ones",
        files: ["src/http/limiter.ts", "test/http/limiter.test.ts"],
        depends_on: [],
      },
      {
        id: "login",
        title: "use it; 429 with `Retry-After`",
        description: "Ask before the password is looked at.",
        files: ["src/http/login.ts"],
        depends_on: ["limiter"],
      },
    ],
    acceptance_criteria: ["the sixth attempt within a minute gets 429", "the existing tests pass"],
    not_included: ["limiting by proxy headers"],
    risk: { level: "medium", reasons: ["everybody logs in here"] },
    complexity: "small",
    effort_minutes: 15,
    ...change,
  };
}

export const estimate: Estimate = { lowUsd: 1.2, highUsd: 2.5, minutes: 14.6 };

export function workGate(question: GateQuestion, change: Partial<Gate> = {}): Gate {
  return {
    gate: "G-1",
    runId: "run-1",
    headSha,
    deadline: "2026-11-21T14:00:00.000Z",
    needs: "write",
    standing: { is: "open" },
    question,
    ...change,
  };
}

export function planGate(change: Partial<Gate> = {}): Gate {
  const reasons = ["the risk is high", "everybody logs in here"];
  return workGate({ type: "architecture_approval", revision: 1, risk: "high", reasons, highUsd: 2.5 }, change);
}

export function status(change: Partial<ImplementationStatus> = {}): ImplementationStatus {
  return {
    task: "Rate-limit the login endpoint",
    requestedBy: "ana",
    step: { is: "task", done: 1, all: 3, title: "use it in `login`" },
    phases: [
      { phase: "planning", state: "done", times: 1, costUsd: 0.21, durationMs: 60_000 },
      { phase: "implementation", state: "active", times: 1, costUsd: 0.84, durationMs: 360_000 },
      { phase: "review", state: "to_come", times: 0, costUsd: 0, durationMs: 0 },
      { phase: "testing", state: "to_come", times: 0, costUsd: 0, durationMs: 0 },
    ],
    usedUsd: 1.05,
    limitUsd: 10,
    branch: "forge/42-rate-limit-login",
    commits: 1,
    testsAdded: 0,
    tasks: { done: 1, all: 3 },
    gates: [],
    bounces: {},
    durationMs: 420_000,
    ...change,
  };
}

export function testOutcome(change: Partial<TestOutcome> = {}): TestOutcome {
  return {
    headSha,
    outcome: "passed",
    runner: "vitest",
    selection: "affected",
    files: 5,
    passed: 34,
    failed: 0,
    skipped: 1,
    failures: [],
    flaky: [],
    weakened: [],
    coverage: {
      covered: 46,
      executable: 50,
      missed: [
        {
          path: "src/http/login.ts",
          ranges: [
            [12, 14],
            [20, 20],
          ],
        },
      ],
    },
    durationMs: 12_000,
    ...change,
  };
}

export function description(change: Partial<PullDescription> = {}): PullDescription {
  return {
    issue: 42,
    requestedBy: "ana",
    plan: plan(),
    estimate,
    commits: [
      { sha: "1".repeat(40), subject: "feat: add a sliding window", taskId: "limiter" },
      { sha: "2".repeat(40), subject: "feat: limit the login, fixes #7", taskId: "login" },
    ],
    notDone: [],
    costUsd: 1.05,
    ...change,
  };
}
