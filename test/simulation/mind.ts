import type { Feedback, PullReviewed } from "../../src/domain/implementation.ts";
import type { Estimate, Plan } from "../../src/domain/plan.ts";
import { DEFAULT_REPO_CONFIG, type RepoConfig } from "../../src/domain/repo-config.ts";
import type { DiffCoverage, TestFailure, TestOutcome } from "../../src/domain/test-report.ts";
import type { Random } from "./random.ts";

/** What models, reviews and tests come to: by chance, or well where `kind` says so. */
export class Mind {
  kind = false;
  readonly #random: Random;
  /** How often something goes wrong in this world: some are calm, some are wild. */
  readonly #trouble: number;

  constructor(random: Random) {
    this.#random = random;
    this.#trouble = random.next() * 1.5;
  }

  /** Whether something bad happens that does so in about this share of all cases. */
  bad(share: number): boolean {
    return !this.kind && this.#random.chance(share * this.#trouble);
  }

  configuration(): RepoConfig {
    const { pick, chance } = this.#random;
    const { safety } = DEFAULT_REPO_CONFIG;
    const gates = { ...safety.gates, architecture_approval: pick(["auto", "auto", "always", "off"] as const) };
    const own = { separation_of_duties: chance(0.7), confirm_over_usd: chance(0.8) ? 5 : 0.5, gates };
    const tools = {
      ...DEFAULT_REPO_CONFIG.tools,
      missing_tests: own.separation_of_duties ? ("write" as const) : ("report" as const),
    };
    return { ...DEFAULT_REPO_CONFIG, tools, safety: { ...safety, ...own } };
  }

  plan(): { readonly plan: Plan; readonly estimate: Estimate } {
    const { pick, between, next } = this.#random;
    const level = this.kind ? "low" : pick(["low", "low", "low", "medium", "high", "critical"] as const);
    const tasks = Array.from({ length: between(1, 3) }, (_, index) => {
      const id = String(index + 1);
      return { id, title: `Task ${id}`, description: "Do it.", files: [`src/${id}.ts`], depends_on: [] };
    });
    const plan: Plan = {
      ...{ title: "Limit logins", kind: "feat", summary: "A limit.", constraints: [], decisions: [], tasks },
      ...{ acceptance_criteria: ["it is limited"], not_included: [], risk: { level, reasons: [] } },
      ...{ complexity: "small", effort_minutes: 10 },
    };
    const highUsd = next() * 6;
    return { plan, estimate: { lowUsd: highUsd / 2, highUsd, minutes: 10 } };
  }

  review(headSha: string, runId: string): { readonly review: PullReviewed; readonly feedback: readonly Feedback[] } {
    const { pick, between, next } = this.#random;
    const blocking = this.bad(0.5) ? between(1, 2) : 0;
    const criticalSecurity = blocking > 0 && this.bad(0.3) ? 1 : 0;
    const risk = this.kind ? "low" : pick(["low", "low", "medium", "high", "critical"] as const);
    const feedback = Array.from({ length: blocking }, (_, index): Feedback => {
      const id = `F-${headSha.slice(-4)}${index}`;
      return { from: "review", id, findingId: id, severity: "error", file: "src/1.ts", line: 1, message: "wrong" };
    });
    const decision = blocking > 0 ? "request_changes" : "approve";
    const facts = { headSha, runId, decision, conclusion: "success", blocking, advisory: 0, criticalSecurity } as const;
    return { review: { ...facts, costUsd: next() * 0.1, risk }, feedback };
  }

  tests(headSha: string): TestOutcome {
    const { pick, chance, next } = this.#random;
    const none = { failures: [], flaky: [], weakened: [], files: 1, passed: 3, failed: 0, skipped: 0, durationMs: 900 };
    const passed: TestOutcome = { headSha, outcome: "passed", runner: "vitest", selection: "affected", ...none };
    if (!this.bad(0.4)) return passed;
    const missed: DiffCoverage["missed"] = [{ path: "src/1.ts", ranges: [[2, 4]] }];
    const failure = (kind: TestFailure["class"]): TestFailure => {
      const mend = chance(0.6) ? { fix: "mend it", confidence: next() } : {};
      return { name: `works ${kind}`, message: "expected 1\ngot 2", class: kind, ...mend };
    };
    const failed = (...failures: TestFailure[]): TestOutcome => {
      return { ...passed, outcome: "failed", failed: failures.length, failures };
    };
    return pick<() => TestOutcome>([
      () => failed(failure("bug")),
      () => failed({ ...failure("bug"), fix: "mend it", confidence: 0.9 }),
      () => failed(failure("bug"), failure("existing")),
      () => failed(failure("existing")),
      () => failed(failure("environment")),
      () => failed(),
      () => ({ ...passed, flaky: ["blinks"], coverage: { covered: 1, executable: 4, missed } }),
      () => ({ ...passed, weakened: [{ path: "test/a.ts", kind: "deleted_test", what: "a test was deleted" }] }),
      () => ({ headSha, outcome: "not_run", nothingToRun: true, reason: "there are no tests", ...none }),
      () => ({ headSha, outcome: "not_run", reason: "packages are missing", runner: "vitest", ...none }),
    ])();
  }
}
