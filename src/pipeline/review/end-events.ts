import { defined } from "../../domain/defined.ts";
import { type Effect, effectKey } from "../../domain/effects.ts";
import type { PauseScope, RunRequest } from "../../domain/event-catalogue.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { ReviewFailed, ReviewParked } from "../../domain/inputs.ts";
import { type Subject, subjectKey } from "../../domain/subjects.ts";
import { applyEffects, type Decision, ignore, NOTHING } from "../runs/decision.ts";
import { elapsedMs } from "../runs/kind.ts";
import { isActive, type ReviewFacts, type RunningRun, type RunState } from "./run-state.ts";
import type { Verdict } from "./verdict.ts";
import type { SubjectView } from "./view.ts";

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

type CompleteCheck = Extract<Effect, { kind: "check.complete" }>;

/** Of which check it is follows from the run; what the check says does not. */
type CheckResult = Omit<CompleteCheck["payload"], "check" | "headSha" | "openKey">;

/** Closes the check that a run opened on its head (GH-11). */
export function completeCheck(
  { subject, headSha, request }: Pick<RunState, "subject" | "request"> & { readonly headSha: string },
  result: CheckResult,
): CompleteCheck {
  const key = (kind: "check.open" | "check.complete") => effectKey(kind, subjectKey(subject), headSha, request.id);
  return {
    kind: "check.complete",
    key: key("check.complete"),
    payload: { check: "forge/review", headSha, openKey: key("check.open"), ...result },
  };
}

/** The part of a decision that closes the check of a run on its head. @param at ISO 8601, now */
export function closeCheck(
  { runId, subject, request, ends: { headSha } }: RunState,
  result: CheckResult,
  at: string,
): Pick<Decision, "effects" | "jobs"> {
  const closed = completeCheck({ subject, headSha, request }, result);
  return { effects: [{ runId, headSha, effects: [closed] }], jobs: [applyEffects(subject, at)] };
}

interface Skip {
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

/** Work on a run failed. A last failure ends it, and its check says so: never green, never hanging (GH-11a, GH-12a). */
export function failReview(view: SubjectView, input: ReviewFailed): Decision {
  const run = view.addressed;
  if (!isActive(run)) return ignore("the run has ended");
  const { error, attempts } = input;
  const append = (events: NewEvent[]) => [{ runId: run.runId, expectedVersion: run.version, events }];
  const occurred: NewEvent = { type: "error.occurred", phase: "review", payload: { error, during: "review" } };
  if (!input.final) return { ...NOTHING, appends: append([occurred]) };
  const report = { kind: "failed", message: error.message, code: error.code, attempts } as const;
  return {
    appends: append([
      occurred,
      { type: "phase.failed", phase: "review", payload: { phase: "review", error } },
      { type: "run.failed", payload: { error, attempts } },
    ]),
    ...closeCheck(run, { conclusion: "action_required", report }, input.at),
    cancelJobsOfRuns: [run.runId],
  };
}

/** Who has to answer wants to be asked later (LOOP-7): the job comes back then, and until then the check says so. */
export function parkReview(view: SubjectView, { until, message, at }: ReviewParked): Decision {
  const run = view.addressed;
  if (run?.status !== "running") return ignore("the run has ended");
  const { runId, subject, ends, request } = run;
  const { headSha } = ends;
  const of = subjectKey(subject);
  const parked = {
    kind: "check.park",
    key: effectKey("check.park", of, headSha, request.id, until),
    payload: { check: "forge/review", headSha, openKey: effectKey("check.open", of, headSha, request.id), until },
  } as const;
  const event = { type: "review.parked", phase: "review", payload: { until, message } } as const;
  return {
    ...NOTHING,
    appends: [{ runId, expectedVersion: run.version, events: [event] }],
    effects: [{ runId, headSha, effects: [parked] }],
    jobs: [applyEffects(subject, at)],
  };
}
