import type { Answer, ConfigurationFacts, CostFacts } from "./answers.ts";
import type { CommandSource, ParsedCommand, Refusal, RunLimit } from "./commands.ts";
import type { EffectResult, ReportedFinding } from "./effects.ts";
import type { ErrorFacts } from "./errors.ts";
import type { ReviewCompleted, RunRequest } from "./event-catalogue.ts";
import type { Finding } from "./findings.ts";
import type { GateQuestion } from "./gates.ts";
import type { Anchors, ChangedLines } from "./hunks.ts";
import type { CheckName, Conclusion } from "./phases.ts";
import type { RepoConfig } from "./repo-config.ts";
import type { Carried, ModelCost, QueuedPull, RejectedClaim, ReviewCoverage } from "./review-report.ts";
import type { RiskReport } from "./risk.ts";
import type { Role } from "./roles.ts";
import type { Actor, PullRequestEnds, Subject } from "./subjects.ts";

interface Common {
  readonly subject: Subject;
  /** When it happened, ISO 8601 in UTC: `decide` has no clock. */
  readonly at: string;
  /** Ids for the runs that this input may start, made by whoever submits it: `decide` has no randomness. */
  readonly newRunId: string;
}

/** A pull request got a head to review: opened, pushed to, marked ready, reopened, its base changed, or found unreviewed by the reconcile pass. */
export interface HeadChanged extends Common {
  readonly type: "head.changed";
  readonly request: RunRequest;
  readonly by: Actor;
  readonly ends: PullRequestEnds;
  readonly title: string;
  /** When GitHub last changed the pull request, as whoever tells this knew it; ISO 8601, whole seconds. */
  readonly updatedAt?: string;
  readonly debounceMs: number;
  readonly webhook?: { readonly deliveryId: string; readonly event: string; readonly action: string };
}

export interface PullRequestClosed extends Common {
  readonly type: "pull_request.closed";
  readonly by: Actor;
  readonly merged: boolean;
  /** Of a merge group: the head that nobody waits for any more; a later one of the same name goes on. */
  readonly headSha?: string;
}

/** The installation or the repository is no longer ours to work on. */
export interface SubjectGone extends Common {
  readonly type: "subject.gone";
  readonly reason: "installation_removed" | "repository_gone";
}

/** The worker looked at the pull request through the API before it began: the facts that decide whether and what to review. */
export interface ReviewObserved extends Common {
  readonly type: "review.observed";
  readonly runId: string;
  readonly attempt: number;
  readonly open: boolean;
  readonly ends: PullRequestEnds;
  /** When GitHub last changed the pull request. */
  readonly updatedAt?: string;
  readonly draft: boolean;
  readonly author: Actor;
  readonly labels: readonly string[];
  readonly configuration: RepoConfig;
  /** Why nothing of a merge group is looked at, in words for the check's title. */
  readonly leftOut?: string;
}

/** The analysis of a head ended. `findings` are all that stand on the head, with identities. */
export interface ReviewFinished extends Common {
  readonly type: "review.finished";
  readonly runId: string;
  readonly findings: readonly Finding[];
  readonly beyondLimit: number;
  /** What the diff shows of the files that have findings. */
  readonly anchors: readonly Anchors[];
  readonly coverage: ReviewCoverage;
  readonly durationMs: number;
  /** What changed since the head that was reviewed last; absent where all of the change counts as new. */
  readonly changedSince?: readonly ChangedLines[];
  /** Of the change by itself: what findings add is not in it yet. */
  readonly risk?: RiskReport;
  /** Automatic reviews in a row, up to the last one, that posted comments. */
  readonly rounds?: number;
  /** What models cost, and what they claimed that did not become a finding. */
  readonly ai?: { readonly cost: ModelCost; readonly rejected: readonly RejectedClaim[] };
  /** Of a merge group: what the reviews of its pull requests came to. Their own findings are not among `findings`. */
  readonly queued?: readonly QueuedPull[];
}

/** The head has the files of one that was reviewed: nothing was looked at anew (GH-3, GH-8d). */
export interface ReviewCarried extends Common {
  readonly type: "review.carried";
  readonly runId: string;
  readonly carried: Carried;
  /** What the other head's review came to. */
  readonly review: ReviewCompleted;
  readonly risk?: RiskReport;
  readonly durationMs: number;
  /** Of a merge group: its pull requests, and what is open on the one that `carried` names; else the subject's own ledger says that. */
  readonly group?: { readonly queued: readonly QueuedPull[]; readonly findings: readonly ReportedFinding[] };
}

/** The work on a run cannot go on without a person. */
export interface ReviewSuspended extends Common {
  readonly type: "review.suspended";
  readonly runId: string;
  readonly question: GateQuestion;
  /** The role that may answer. */
  readonly needs: Role;
}

/** The work on a run goes on at a time that its provider named (ISO 8601). */
export interface ReviewParked extends Common {
  readonly type: "review.parked";
  readonly runId: string;
  readonly until: string;
  /** What the provider said. */
  readonly message: string;
}

/** The work on a run failed; `final` when it will not be tried again. */
export interface ReviewFailed extends Common {
  readonly type: "review.failed";
  readonly runId: string;
  readonly error: ErrorFacts;
  readonly attempts: number;
  readonly final: boolean;
}

/** A review was posted: where each finding can be seen now. */
export interface FindingsPosted extends Common {
  readonly type: "findings.posted";
  readonly runId: string;
  readonly placed: NonNullable<EffectResult["placed"]>;
}

export interface CheckSettled extends Common {
  readonly type: "check.settled";
  readonly runId: string;
  readonly check: CheckName;
  readonly headSha: string;
  readonly conclusion: Conclusion;
  readonly checkRunId: number;
  /** Findings that can be seen since then. */
  readonly placed: NonNullable<EffectResult["placed"]>;
}

/** An effect could not be carried out and will not be tried again. */
export interface EffectFailed extends Common {
  readonly type: "effect.failed";
  readonly runId: string;
  readonly effectKey: string;
  readonly error: ErrorFacts;
}

/** Somebody wrote a comment with commands, replied in plain words in a thread, or pressed a button. Not read by us yet: a hint. */
export interface CommentGiven extends Common {
  readonly type: "comment.given";
  readonly source: CommandSource;
  readonly by: Actor;
  readonly deliveryId: string;
  readonly bodyHash?: string;
  /** The first comment of the thread that this one replies in. */
  readonly thread?: number;
  /** It has no command line but begins like a dismissal (GH-8a). */
  readonly plain: boolean;
  readonly press?: { readonly identifier: string; readonly by: Actor };
  /** A reply in a thread that is neither: for a model, where there is one (GH-8a). */
  readonly talk?: boolean;
}

/** Nothing of a comment was carried out: it changed before its turn came, or the work on it failed for good. */
export interface CommandsVoid extends Common {
  readonly type: "commands.void";
  readonly source: CommandSource;
  readonly by?: Actor;
  readonly refusal: Refusal;
}

/** One command of a comment that was read through the API, with the role of whoever gave it at that moment (GH-14). */
export interface CommandGiven extends Common {
  readonly type: "command.given";
  readonly source: CommandSource;
  readonly index: number;
  readonly by: Actor;
  /** Undefined when GitHub did not tell. */
  readonly role?: Role;
  readonly parsed: ParsedCommand;
  /** Whether the comment says nothing else. */
  readonly alone: boolean;
  readonly plain: boolean;
  readonly thread?: number;
  readonly pull: { readonly open: boolean; readonly ends: PullRequestEnds; readonly title: string };
  /** For `config`. */
  readonly configuration?: ConfigurationFacts;
  /** For `extend`: the limits of a review as configured. */
  readonly limits?: Readonly<Record<RunLimit, number>>;
  /** For `cost`. */
  readonly cost?: CostFacts;
}

/** The work on a question is over: with an answer, or with the reason why there is none. */
export interface QuestionSettled extends Common {
  readonly type: "question.settled";
  readonly source: CommandSource;
  readonly index: number;
  readonly by: Actor;
  readonly thread?: number;
  readonly outcome: { readonly answer: Extract<Answer, { kind: "asked" }> } | { readonly refusal: Refusal };
  /** USD, over all attempts. */
  readonly costUsd: number;
}

/** A model read what a person with triage or more replied in the thread of a finding (GH-8a). */
export interface ReplyRead extends Common {
  readonly type: "reply.read";
  readonly source: CommandSource;
  readonly by: Actor;
  readonly role: Role;
  readonly thread: number;
  /** The person's words, without secrets. */
  readonly said: string;
  readonly verdict: "withdraw" | "stands" | "nothing";
  readonly answer: string;
  readonly pull: CommandGiven["pull"];
  readonly cost: ModelCost;
}

/** Everything that can happen to a subject. */
export type Input =
  | HeadChanged
  | PullRequestClosed
  | SubjectGone
  | ReviewObserved
  | ReviewFinished
  | ReviewCarried
  | ReviewSuspended
  | ReviewParked
  | ReviewFailed
  | FindingsPosted
  | CheckSettled
  | EffectFailed
  | CommentGiven
  | CommandsVoid
  | CommandGiven
  | QuestionSettled
  | ReplyRead;
