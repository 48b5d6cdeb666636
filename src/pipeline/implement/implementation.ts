import type { RunLimit } from "../../domain/command-arguments.ts";
import { defined } from "../../domain/defined.ts";
import type { Environment, ReleaseStanding } from "../../domain/deployments.ts";
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
  WorkProgress,
} from "../../domain/implementation.ts";
import type { Phase, RunStatus } from "../../domain/phases.ts";
import type { Estimate, Plan } from "../../domain/plan.ts";
import type { ProductionFault } from "../../domain/production-feedback.ts";
import type { RepoConfig } from "../../domain/repo-config.ts";
import type { Actor, Subject } from "../../domain/subjects.ts";
import type { TestOutcome } from "../../domain/test-report.ts";

/** Rounds, time and cost of a phase so far. */
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
  /** Not known of a head that somebody else pushed. */
  readonly treeSha?: string | undefined;
  readonly commits: readonly WorkCommit[];
  readonly notDone: readonly string[];
  readonly testsAdded: number;
  /** Ids of memories that it followed. */
  readonly memories?: readonly string[] | undefined;
  /** The level that let Forge format any of it, in any round. */
  readonly formatted?: number | undefined;
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

/** Common to all runs on issues (PIPE-2, PIPE-3). */
interface Known {
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
  readonly took: Partial<Readonly<Record<Phase, PhaseTook>>>;
  readonly costUsd: number;
  /** How the plan is to be changed; absent once it was. */
  readonly changeWanted?: string | undefined;
  readonly tasksDone: readonly TaskCompleted[];
  /** Feedback for the present round of the implementer; empty in the first. */
  readonly feedback: readonly Feedback[];
  readonly cause?: BounceCause | undefined;
  readonly bounces: Partial<Readonly<Record<BounceCause, number>>>;
  /** When what it became is on its way to where it runs; ISO 8601. */
  readonly mergedAt?: string | undefined;
  /** Its deployment, as the latest event has it. */
  readonly release?: ReleaseStanding | undefined;
  /** Whether the present round of the implementer is over, and its commits are on their way to GitHub. */
  readonly roundDone: boolean;
  /** The head with which that round began. */
  readonly roundFrom?: string | undefined;
  readonly answers: readonly FeedbackAnswer[];
  /** Every head that stood on the branch: a webhook about one of them comes late. */
  readonly heads: readonly string[];
  /** Not read yet, oldest first. */
  readonly signals: readonly PullSignal[];
  /** All that were ever taken, as `signalKey` names them. */
  readonly heard: readonly string[];
  readonly gates: readonly Gate[];
  readonly stopped?: Stopped | undefined;
  /** How often it went on after it stood still. */
  readonly resumes: number;
  /** Why there was nothing to change. */
  readonly skipped?: string | undefined;
  /** Its present activity, inside its phase. */
  readonly progress?: WorkProgress | undefined;
  /** Findings with a fix that the review confirmed and that were given to the implementer, with what it said of those it left. */
  readonly fixesGiven?: Readonly<Record<string, string | undefined>>;
  /** Checks of others that ended well, by head. */
  readonly ciPassed?: { readonly headSha: string; readonly names: readonly string[] };
  /** What production showed of what it made, oldest first. */
  readonly faults?: readonly ProductionFault[];
  /** Where the fault is that the issue is about: the release of the fix closes the issue, not the merge. */
  readonly faultIn?: Environment | undefined;
}

/** The worker's observation of the issue. */
interface Found {
  readonly configuration: RepoConfig;
  readonly base: { readonly ref: string; readonly sha: string };
  readonly phase: Phase;
}

/** The work, and what became of it on GitHub. */
interface Done {
  readonly work: Work;
  readonly branch?: string | undefined;
  /** A branch that was tried, and that is somebody else's: of an earlier run on the issue, say. */
  readonly taken?: string | undefined;
  /** The branch on GitHub, as far as Forge knows. */
  readonly pushed?: string | undefined;
  /** A head by somebody else that has to be joined with ours. */
  readonly toJoin?: string | undefined;
  readonly pull?: { readonly number: number; readonly ready: boolean } | undefined;
  /** The head that people were told is ready, until it is looked at anew. */
  readonly readyHead?: string | undefined;
  /** Why GitHub would not turn the draft into a pull request that is ready. */
  readonly leftDraft?: string | undefined;
  readonly reviewed?: PullReviewed | undefined;
  readonly tests?: TestOutcome | undefined;
}

interface Finish {
  readonly end: ImplementationEnd;
  readonly endedAt: string;
}

/** Fields of later phases. */
type Not<T> = { readonly [K in keyof T]?: undefined };
type HasPlan = { readonly plan: ProposedPlan };

/** No worker has looked at the issue yet. */
export interface Pending extends Known, Not<Found>, Not<HasPlan>, Not<Done>, Not<Finish> {
  readonly is: "pending";
}

/** The issue is being planned. */
export interface Begun extends Known, Found, Not<HasPlan>, Not<Done>, Not<Finish> {
  readonly is: "begun";
}

/** There is a plan, accepted or not, and no work yet. */
export interface Planned extends Known, Found, HasPlan, Not<Done>, Not<Finish> {
  readonly is: "planned";
}

/** There are commits, reviewed and tested or not. */
export interface Working extends Known, Found, HasPlan, Done, Not<Finish> {
  readonly is: "working";
}

/** A worker has looked at the issue and the repository. */
export type Looked = Begun | Planned | Working;

export type Active = Pending | Begun | Planned | Working;

type Finished<T> = Omit<T, "is" | keyof Finish> & Finish & { readonly is: "ended" };

/** It came to an end, with as much as it had got to. One that failed can go on from there. */
export type Ended = Finished<Pending> | Finished<Begun> | Finished<Planned> | Finished<Working>;

/** A run on an issue, as its events tell it. */
export type Implementation = Active | Ended;

/** All that a run can have, of which `stageOf` says how far that is. */
export type Facts = Known & {
  readonly [K in keyof (Found & HasPlan & Done & Finish)]?: (Found & HasPlan & Done & Finish)[K] | undefined;
};

/** The member of the union that these facts are. What stands on nothing, such as work without a plan, does not count. */
export function stageOf(facts: Facts): Implementation {
  const { end, endedAt, ...rest } = facts;
  const active = activeOf(rest);
  return end && endedAt !== undefined ? { ...active, is: "ended", end, endedAt } : active;
}

function activeOf(facts: Omit<Facts, keyof Finish>): Active {
  const { configuration, base, phase, plan, work, ...late } = facts;
  const { branch, taken, pushed, toJoin, pull, readyHead, leftDraft, reviewed, tests, ...known } = late;
  if (!configuration || !base || !phase) return { ...known, is: "pending" };
  const found = { configuration, base, phase };
  if (!plan) return { ...known, ...found, is: "begun" };
  if (!work) return { ...known, ...found, plan, is: "planned" };
  return { ...late, ...found, plan, work, is: "working" };
}

/** A run that failed, as it was before that. */
export function reopen({ end: _end, endedAt: _at, is: _is, ...facts }: Ended): Active {
  return activeOf(facts);
}

/** Whether a worker has looked at the issue of the run: all work does so first. */
export function isLooked(run: Implementation): run is Looked {
  return run.is === "begun" || run.is === "planned" || run.is === "working";
}

/** Whether no other run may begin on the issue beside it (PIPE-3). */
export function ownsIssue(run: Implementation | undefined): run is Active {
  return run !== undefined && run.is !== "ended";
}

export function openGates({ gates }: Pick<Implementation, "gates">): readonly Gate[] {
  return gates.filter(isOpenGate);
}

/** Whether a worker has something to do for it now; else it waits for people, CI or GitHub. */
export function isAtWork(run: Implementation): boolean {
  return ownsIssue(run) && run.stopped === undefined && openGates(run).length === 0 && run.status !== "waiting";
}

/** Whether the implementer is in the middle of a round: what is on the branch is found by the push at its end. */
export function isInRound({ phase, roundDone }: Pick<Implementation, "phase" | "roundDone">): boolean {
  return phase === "implementation" && !roundDone;
}

/** The commit that the present work is built on; undefined before a worker has looked at the repository. */
export function headOf(run: Pick<Looked, "work" | "base">): string;
export function headOf(run: Pick<Implementation, "work" | "base">): string | undefined;
export function headOf({ work, base }: Pick<Implementation, "work" | "base">): string | undefined {
  return work?.headSha ?? base?.sha;
}

/** The work with what a round of the implementer came to. */
export function addWork(
  before: Work | undefined,
  {
    headSha,
    treeSha,
    commits,
    notDone,
    testsAdded,
    memories = [],
    formatted,
  }: Omit<Work, "treeSha"> & { readonly treeSha: string },
): Work {
  const known = new Set(before?.commits.map(({ sha }) => sha));
  const followed = [...new Set([...(before?.memories ?? []), ...memories])];
  return {
    headSha,
    // Logs have an empty one where it is not known.
    treeSha: treeSha === "" ? undefined : treeSha,
    commits: [...(before?.commits ?? []), ...commits.filter(({ sha }) => !known.has(sha))],
    notDone: [...(before?.notDone ?? []), ...notDone],
    testsAdded: (before?.testsAdded ?? 0) + testsAdded,
    ...(followed.length > 0 ? { memories: followed } : {}),
    ...defined({ formatted: before?.formatted ?? formatted }),
  };
}
