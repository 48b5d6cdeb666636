import { defined } from "../../domain/defined.ts";
import type { Effect } from "../../domain/effects.ts";
import type { PauseScope, RunRequest } from "../../domain/event-catalogue.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { Subject } from "../../domain/subjects.ts";
import { elapsedMs } from "../runs/elapsed.ts";
import { completeCheck } from "./complete-check.ts";

export interface Skip {
  readonly subject: Subject;
  readonly headSha: string;
  readonly request: RunRequest;
  readonly startedAt: string;
  readonly at: string;
  /** In words, as the check's title will say it: "draft", "label `wip`". */
  readonly reason: string;
  /** Where Forge was told to be quiet, when that is why. */
  readonly paused?: PauseScope | undefined;
  /** Whether it waits for somebody to ask for a review. */
  readonly askable?: boolean;
}

/** Ends a run that leaves its head out: the check says `skipped` and why (GH-8d). */
export function skipRun(skip: Skip): { events: NewEvent[]; effects: Effect[] } {
  const { reason, paused, askable } = skip;
  const none = { critical: 0, error: 0, warning: 0, info: 0 };
  const durationMs = elapsedMs(skip.startedAt, skip.at);
  return {
    events: [
      { type: "phase.skipped", payload: { phase: "review", reason } },
      {
        type: "run.completed",
        payload: {
          outcome: "skipped",
          conclusion: "skipped",
          phases: [],
          durationMs,
          totals: { findings: none, costUsd: 0, tokens: 0 },
          artifacts: [],
        },
      },
    ],
    effects: [
      completeCheck(skip, {
        conclusion: "skipped",
        report: { kind: "skipped", reason, ...defined({ paused, askable: askable || undefined }) },
      }),
    ],
  };
}
