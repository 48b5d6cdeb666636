import type { NewEvent } from "../../domain/events.ts";
import { elapsedMs } from "../runs/elapsed.ts";
import type { ReviewFacts, RunningRun } from "./run-state.ts";
import type { Verdict } from "./verdict.ts";

/** The last events of a run whose head has a verdict. */
export function endEvents(
  run: RunningRun,
  { durationMs, risk, ...review }: ReviewFacts,
  outcome: Verdict["outcome"],
  at: string,
): NewEvent[] {
  const phase = "review" as const;
  const { conclusion, open, cost } = review;
  return [
    ...(risk ? [{ type: "risk.assessed", phase, payload: risk } as const] : []),
    { type: "review.completed", phase, durationMs, payload: review },
    { type: "phase.completed", phase, payload: { phase, durationMs } },
    {
      type: "run.completed",
      payload: {
        outcome,
        conclusion,
        phases: [phase],
        durationMs: elapsedMs(run.startedAt, at),
        totals: { findings: open, costUsd: cost?.usd ?? 0, tokens: cost?.tokens ?? 0 },
        artifacts: [],
      },
    },
  ];
}
