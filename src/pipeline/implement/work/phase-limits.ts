import type { Check } from "../../../agents/library.ts";
import type { RepoConfig } from "../../../domain/repo-config.ts";
import { subjectKey } from "../../../domain/subjects.ts";
import type { BudgetLimit } from "../../../safety/budget.ts";
import { tripOnTime } from "../../../safety/trip-rules.ts";
import { dayLimits, type OperatorLimits } from "../../ai/open-budget.ts";
import type { LimitedPhase } from "../../runs/definition.ts";
import type { Extensions } from "../../runs/subject-facts.ts";
import type { Implementation } from "../implementation.ts";

/** The limits of an agent of a run, with people's extensions (SAFE-1). */
export interface PhaseLimits {
  readonly budgets: readonly BudgetLimit[];
  readonly timeLimitMs: number;
  /** Model calls of one agent. */
  readonly iterations: number;
  /** Model calls of the run in all its phases. */
  readonly runIterations: number;
  /** Trips on working time: of the phase over all its rounds, and of the run. */
  readonly check: Check;
}

const MINUTE = 60_000;

/** The limits of a phase as configured when the run began, and as people raised them since. */
export function limitsOfPhase(
  run: Pick<Implementation, "runId" | "subject" | "took"> & { readonly configuration: RepoConfig },
  phase: LimitedPhase,
  extensions: Extensions,
  operator: OperatorLimits,
): PhaseLimits {
  const { runId, subject, took } = run;
  const { cost, time, iterations } = run.configuration.safety;
  const { usd, minutes, iterations: more } = extensions;
  const timeLimitMs = (time[phase] + minutes) * MINUTE;
  const runLimitMs = (time.run + minutes) * MINUTE;
  const spentMs = took[phase]?.durationMs ?? 0;
  const allMs = Object.values(took).reduce((sum, { durationMs }) => sum + durationMs, 0);
  return {
    timeLimitMs,
    iterations: iterations[phase],
    runIterations: iterations.run + more,
    budgets: [
      { scope: "phase", key: `${runId}:${phase}`, limitUsd: cost[phase] + usd },
      { scope: "run", key: runId, limitUsd: cost.run + usd },
      { scope: "subject", key: subjectKey(subject), limitUsd: cost.subject + usd },
      ...dayLimits(subject, cost.day, operator),
    ],
    check: ({ activeMs }) =>
      tripOnTime({ phaseMs: spentMs + activeMs, runMs: allMs + activeMs }, { phaseMs: timeLimitMs, runMs: runLimitMs }),
  };
}
