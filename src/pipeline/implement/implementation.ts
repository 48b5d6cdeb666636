import type { RunLimit } from "../../domain/commands.ts";
import type { ErrorFacts } from "../../domain/errors.ts";
import type { RunRequest, TaskCompleted } from "../../domain/event-catalogue.ts";
import { type Gate, isOpenGate } from "../../domain/gates.ts";
import type {
  BounceCause,
  Feedback,
  FeedbackAnswer,
  IssueSnapshot,
  PullReviewed,
  PullSignal,
  WorkCommit,
} from "../../domain/implementation.ts";
import type { Phase, RunStatus } from "../../domain/phases.ts";
import type { Estimate, Plan } from "../../domain/plan.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { Actor, Subject } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";

/** What a phase took up to now, over all its rounds. */
export interface PhaseTook {
  readonly times: number;
  readonly durationMs: number;
  readonly costUsd: number;
}

/** A plan as it was proposed; `revision` counts from 1. */
export interface ProposedPlan {
  readonly plan: Plan;
  readonly estimate: Estimate;
  readonly revision: number;
  readonly accepted: boolean;
}

/** The commits on the branch, as far as they are known. */
export interface Work {
  readonly headSha: string;
  /** Empty for a head that somebody else pushed. */
  readonly treeSha: string;
  readonly commits: readonly WorkCommit[];
  readonly notDone: readonly string[];
  readonly testsAdded: number;
}

/** Why nothing goes on although the run has not ended. `by` is a login where a person stopped it. */
export interface Stopped {
  readonly at: string;
  readonly by?: string;
  readonly reason: string;
  readonly limit?: RunLimit;
  /** The limit is that of the run over all its phases. */
  readonly ofRun?: boolean;
}

export type ImplementationEnd =
  | { readonly is: "completed"; readonly outcome: string; readonly reason?: string }
  | { readonly is: "failed"; readonly error: Pick<ErrorFacts, "code" | "message"> }
  | { readonly is: "cancelled"; readonly reason: string; readonly by?: string };

/** A run on an issue, as its events tell it (PIPE-2, PIPE-3). */
export interface Implementation {
  readonly kind: "implement";
  readonly runId: string;
  /** Number of events folded so far: the version that an append expects. */
  readonly version: number;
  readonly subject: Subject;
  readonly request: RunRequest;
  readonly requestedBy: Actor;
  readonly startedAt: string;
  readonly task: string;
  readonly issue: IssueSnapshot;
  readonly planOnly: boolean;
  /** What people said beside the issue: with the request, as answers, when they had it go on; oldest first. */
  readonly instructions: readonly string[];
  readonly status: RunStatus;
  readonly configuration?: RepoConfig;
  readonly base?: { readonly ref: string; readonly sha: string };
  readonly phase?: Phase;
  readonly took: Partial<Readonly<Record<Phase, PhaseTook>>>;
  readonly costUsd: number;
  readonly plan?: ProposedPlan;
  /** How the plan is to be changed; absent once it was. */
  readonly changeWanted?: string | undefined;
  readonly tasksDone: readonly TaskCompleted[];
  /** What the present round of the implementer deals with; empty in the first. */
  readonly feedback: readonly Feedback[];
  readonly cause?: BounceCause | undefined;
  readonly bounces: Partial<Readonly<Record<BounceCause, number>>>;
  readonly work?: Work;
  /** Whether the present round of the implementer is over, and its commits are on their way to GitHub. */
  readonly roundDone: boolean;
  /** The head with which that round began. */
  readonly roundFrom?: string;
  readonly answers: readonly FeedbackAnswer[];
  readonly branch?: string;
  /** A branch that was tried, and that is somebody else's: of an earlier run on the issue, say. */
  readonly taken?: string;
  /** What stands on the branch on GitHub, as far as Forge knows. */
  readonly pushed?: string | undefined;
  /** Every head that stood on the branch: a webhook about one of them comes late. */
  readonly heads: readonly string[];
  /** A head by somebody else that has to be joined with ours. */
  readonly toJoin?: string | undefined;
  readonly pull?: { readonly number: number; readonly ready: boolean };
  /** The head that people were told is ready, until it is looked at anew. */
  readonly readyHead?: string | undefined;
  /** Why GitHub would not turn the draft into a pull request that is ready. */
  readonly leftDraft?: string | undefined;
  readonly reviewed?: PullReviewed;
  readonly tests?: TestOutcome;
  /** Not read yet, oldest first. */
  readonly signals: readonly PullSignal[];
  /** All that were ever taken, as `signalKey` names them. */
  readonly heard: readonly string[];
  readonly gates: readonly Gate[];
  readonly stopped?: Stopped | undefined;
  /** How often it went on after it stood still. */
  readonly resumes: number;
  /** Why there was nothing to change. */
  readonly skipped?: string;
  readonly endedAt?: string | undefined;
  readonly end?: ImplementationEnd | undefined;
}

/** Whether no other run may begin on the issue beside it (PIPE-3). */
export function ownsIssue(run: Implementation | undefined): run is Implementation {
  return run !== undefined && run.end === undefined;
}

export function openGates({ gates }: Implementation): readonly Gate[] {
  return gates.filter(isOpenGate);
}

/** Whether a worker has something to do for it now; else it waits for people, CI or GitHub. */
export function isAtWork(run: Implementation): boolean {
  return ownsIssue(run) && run.stopped === undefined && openGates(run).length === 0 && run.status !== "waiting";
}

/** Whether the implementer is in the middle of a round: what is on the branch is found by the push at its end. */
export function isInRound({ phase, roundDone }: Implementation): boolean {
  return phase === "implementation" && !roundDone;
}

/** The commit that the present work is built on. */
export function headOf({ work, base }: Implementation): string {
  return work?.headSha ?? base?.sha ?? "";
}
