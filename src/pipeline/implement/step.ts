import type { Effect } from "../../domain/effects.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { NewJob } from "../../domain/jobs.ts";
import type { Phase } from "../../domain/phases.ts";
import type { Subject } from "../../domain/subjects.ts";
import { applyEffects, type Decision, NOTHING, workOn } from "../runs/decision.ts";
import type { Implementation } from "./implementation.ts";

/** The changes of a decision about a run on an issue. */
export interface Step {
  readonly events: readonly NewEvent[];
  readonly effects?: readonly Effect[];
  /** Effects on another subject than the issue: its pull request. */
  readonly onPull?: readonly Effect[];
  /** Whether a worker goes on with the run now. */
  readonly work?: boolean;
  readonly jobs?: readonly NewJob[];
  /** Work that is under way or waits in the queue is not wanted any more. */
  readonly cancelJobs?: boolean;
}

/** Turns a step of a run into a decision. */
export function stepOf(
  run: Pick<Implementation, "runId" | "version" | "subject" | "pull">,
  step: Step,
  at: string,
): Decision {
  const { runId, subject, version, pull } = run;
  const { events, effects = [], onPull = [], jobs = [] } = step;
  const here = effects.length > 0 ? [{ runId, headSha: "", effects: [...effects] }] : [];
  const there =
    onPull.length > 0 && pull
      ? [{ runId, headSha: "", effects: [...onPull], subject: pullSubject(subject, pull.number) }]
      : [];
  return {
    ...NOTHING,
    appends: events.length > 0 ? [{ runId, expectedVersion: version, events: [...events] }] : [],
    effects: [...here, ...there],
    jobs: [
      ...(step.work ? [workOn(run, at)] : []),
      ...jobs,
      ...(here.length > 0 ? [applyEffects(subject, at)] : []),
      ...(there.length > 0 ? [applyEffects(there[0]!.subject, at)] : []),
    ],
    cancelJobsOfRuns: step.cancelJobs ? [runId] : [],
  };
}

/** The pull request of an implementation, as a subject. */
export function pullSubject({ repository }: Subject, number: number): Subject {
  return { kind: "pull_request", repository, number };
}

/** A phase begins, again or for the first time. */
export function enter(run: Implementation, phase: Phase, reason: string): NewEvent {
  return { type: "phase.entered", phase, payload: { phase, round: (run.took[phase]?.times ?? 0) + 1, reason } };
}

/** The present phase is over. */
export function complete(
  run: Implementation,
  phase: Phase,
  { durationMs, costUsd }: { readonly durationMs: number; readonly costUsd: number },
): NewEvent {
  return {
    type: "phase.completed",
    phase,
    durationMs,
    payload: { phase, durationMs, costUsd: Math.max(run.costUsd, costUsd) },
  };
}
