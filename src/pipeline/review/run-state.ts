import type { RunLimit } from "../../domain/command-arguments.ts";
import type { ErrorFacts } from "../../domain/errors.ts";
import type { FindingCounts, ImplementsRef, ReviewCompleted, RunRequest } from "../../domain/event-catalogue.ts";
import { type Gate, isOpenGate } from "../../domain/gates.ts";
import type { Conclusion, RunKind } from "../../domain/phases.ts";
import type { ProductionFault } from "../../domain/production-feedback.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { RiskReport } from "../../domain/risk.ts";
import type { PullRequestEnds, Subject } from "../../domain/subjects.ts";

/** The result of a review, kept to reach its verdict anew when a command changes the ledger. */
export type ReviewFacts = ReviewCompleted & {
  readonly durationMs: number;
  readonly risk?: RiskReport;
};

interface Known {
  readonly runId: string;
  /** Number of events folded so far: the version that an append expects. */
  readonly version: number;
  readonly kind: RunKind;
  readonly subject: Subject;
  readonly ends: PullRequestEnds;
  readonly request: RunRequest;
  readonly startedAt: string;
  /** When GitHub had last changed the pull request, as far as the run knows. */
  readonly updatedAt?: string;
  /** The conclusion of its check on GitHub, once it is settled there. */
  readonly shown?: Conclusion;
  /** Why the head is left out, in words. */
  readonly leftOut?: string;
  /** Limits at which an agent of this run ended, since it was last asked to go on. */
  readonly endedAtLimits?: readonly RunLimit[];
  /** Its questions to people, answered or not, oldest first. */
  readonly gates?: readonly Gate[];
  /** The run on an issue that the pull request is the work of. */
  readonly implements?: ImplementsRef;
  /** Instructions of the person who resumed it. */
  readonly instructions?: string;
  /** What production showed of a change that it let pass, oldest first. */
  readonly faults?: readonly ProductionFault[];
}

/** Announced, waiting for the burst of pushes to end or for a worker. */
export interface PendingRun extends Known {
  readonly status: "pending";
}

/** A worker has looked at the pull request and reviews it. */
export interface RunningRun extends Known {
  readonly status: "running";
  readonly phase: "review";
  readonly phaseEnteredAt: string;
  readonly configuration: RepoConfig;
  readonly risk?: RiskReport;
  readonly review?: ReviewFacts;
}

/** Somebody stopped it: nothing is done for it until it is resumed, and what it has is kept. It still owns its subject. */
export interface WaitingRun extends Known {
  readonly status: "waiting";
  readonly stoppedAt: string;
  /** A login. */
  readonly stoppedBy: string;
  /** Whether work had begun. */
  readonly begun: boolean;
}

export interface CompletedRun extends Known {
  readonly status: "completed";
  readonly endedAt: string;
  readonly outcome: string;
  readonly conclusion: Conclusion;
  readonly open: FindingCounts;
  /** Absent when the head was left out. */
  readonly review?: ReviewFacts;
}

export interface FailedRun extends Known {
  readonly status: "failed";
  readonly endedAt: string;
  readonly error: Pick<ErrorFacts, "code" | "message">;
  readonly attempts: number;
}

export interface CancelledRun extends Known {
  readonly status: "cancelled";
  readonly endedAt: string;
  readonly reason: string;
  /** Whether work had begun; a run that only waited out a burst has cost nothing and is not counted (GH-8b). */
  readonly begun: boolean;
}

/** A run as its events tell it (PIPE-3). */
export type RunState = PendingRun | RunningRun | WaitingRun | CompletedRun | FailedRun | CancelledRun;
export type ActiveRun = PendingRun | RunningRun;

/** Whether no other run of its kind may begin on its subject beside it (PIPE-3). */
export function ownsSubject(run: RunState | undefined): run is ActiveRun | WaitingRun {
  return isActive(run) || run?.status === "waiting";
}

/** Whether it waits for a person's answer (PIPE-8): no worker has it meanwhile. */
export function waitsAtGate({ gates }: RunState): boolean {
  return gates?.some(isOpenGate) ?? false;
}

export function isActive(run: RunState | undefined): run is ActiveRun {
  return run?.status === "pending" || run?.status === "running";
}
