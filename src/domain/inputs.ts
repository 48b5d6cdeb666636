import type { Activity } from "./activity.ts";
import type { Answer } from "./answers.ts";
import type { RunLimit } from "./command-arguments.ts";
import type { CommandSource } from "./command-source.ts";
import type {
  DeployFacts,
  DeployRefusal,
  DeployRequest,
  DeployStanding,
  Environment,
  EnvironmentSettings,
  ReleaseStanding,
  StepHandle,
  StepOutcome,
} from "./deployments.ts";
import type { Effect, EffectResult, ReportedFinding } from "./effects.ts";
import type { ErrorFacts } from "./errors.ts";
import type { CANCEL_REASONS, ImplementsRef, ReviewCompleted, RunRequest } from "./event-catalogue.ts";
import type { LearntEvent } from "./events.ts";
import type { Explanation } from "./explanations.ts";
import type { Finding } from "./findings.ts";
import type { FixLeftOut, PreparedFix } from "./fixes.ts";
import type { GateQuestion } from "./gates.ts";
import type { Anchors, ChangedLines } from "./hunks.ts";
import type {
  BounceCause,
  Feedback,
  IssueSnapshot,
  NotRestorable,
  PullReviewed,
  PullSignal,
  RestorePoint,
  WorkChecks,
  WorkCommit,
  WorkDone,
  WorkProgress,
} from "./implementation.ts";
import type { LevelFacts, TaskKind } from "./ladder.ts";
import type { NewMemory, Taught } from "./memories.ts";
import type { MergeLook, MergeOutcome } from "./merging.ts";
import type { ModelCost } from "./model-cost.ts";
import type { CheckName, Conclusion, Layer, Phase } from "./phases.ts";
import type { Estimate, Plan } from "./plan.ts";
import type { ProductionFault, ProductionFeedback, ReleasedFix, Suspicion } from "./production-feedback.ts";
import type { RuleLook, RuleRequest } from "./protection.ts";
import type { ParsedCommand, Refusal } from "./refusals.ts";
import type { RepoConfig } from "./repo-config.ts";
import type { Carried, Judgement, QueuedPull, RejectedClaim, ReviewCoverage } from "./review-report.ts";
import type { RiskReport } from "./risk.ts";
import type { Sample } from "./samples.ts";
import type { Actor, EnvironmentSubject, PullRequestEnds, Role, Subject } from "./subjects.ts";
import type { TestOutcome } from "./test-report.ts";

interface Common {
  readonly subject: Subject;
  /** When it happened, ISO 8601 in UTC: `decide` has no clock. */
  readonly at: string;
  /** Ids for the runs that this input may start, made by whoever submits it: `decide` has no randomness. */
  readonly newRunId: string;
}

interface OfEnvironment extends Common {
  readonly subject: EnvironmentSubject;
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
  /** The run on an issue that this pull request is the work of. */
  readonly implements?: ImplementsRef;
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
  /** Layers that looked at that head: what another one finds is new wherever it stands. Absent: all of them. */
  readonly lookedBefore?: readonly Layer[];
  /** Files of open findings that the change does not hold any more: deleted, or as the base branch has them. */
  readonly left?: readonly string[];
  /** Of the change by itself: what findings add is not in it yet. */
  readonly risk?: RiskReport;
  /** Automatic reviews in a row, up to the last one, that posted comments. */
  readonly rounds?: number;
  readonly task?: TaskKind;
  /** Files of the change that a person has to look at before Forge may approve or merge it; absent where nobody looked which. */
  readonly forPeople?: readonly string[];
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

/** What a review does at the moment. */
export interface ReviewProgressed extends Common {
  readonly type: "review.progressed";
  readonly runId: string;
  readonly activity: Activity;
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
  readonly effect: Pick<Effect, "key" | "kind">;
  /** Where it was to be written; absent where that is the subject. */
  readonly on?: Subject;
  /** It is what says that something else is not written. */
  readonly notice?: boolean;
  readonly error: ErrorFacts;
}

/**
 * A person asks for something: by a comment with commands, a reply in plain words, a button, a label or a verdict in a review; the source says by
 * which. A comment is not read by us yet: a hint. What was asked without words is in `press`.
 */
export interface RequestMade extends Common {
  readonly type: "request.made";
  readonly source: CommandSource;
  readonly by: Actor;
  readonly deliveryId: string;
  readonly bodyHash?: string;
  /** The first comment of the thread that this one replies in. */
  readonly thread?: number;
  /** It has no command line but begins like a dismissal (GH-8a). */
  readonly plain: boolean;
  readonly press?: { readonly identifier: string; readonly by: Actor };
  /** Neither: a reply in a thread, for a model where there is one (GH-8a), or on an issue perhaps the answer to a question. */
  readonly talk?: boolean;
  /** None of these: a person begins a thread on lines of the change, perhaps on what Forge missed (HUM-3). */
  readonly remark?: boolean;
}

/** Nothing of a comment was carried out: it changed before its turn came, or the work on it failed for good. */
export interface CommandsVoid extends Common {
  readonly type: "commands.void";
  readonly source: CommandSource;
  readonly by?: Actor;
  /** The first comment of the thread in which it was given. */
  readonly thread?: number;
  readonly refusal: Refusal;
}

/** One command of a comment that was read through the API, with the role of whoever gave it at that moment (GH-14). */
export interface Commanded extends Common {
  readonly type: "command.given";
  readonly source: CommandSource;
  readonly index: number;
  readonly by: Actor;
  /** Undefined when GitHub did not tell. */
  readonly role?: Role;
  readonly parsed: ParsedCommand;
  /** Whether the comment says nothing else. */
  readonly alone: boolean;
  /** It was said in plain words, without a command line: who may not give the command is not told so. */
  readonly plain: boolean;
  readonly thread?: number;
  /** Where it was given, where that is not what it is about: on the pull request of the work on an issue. */
  readonly givenOn?: Subject;
  /** When the comment was written, by GitHub's clock; ISO 8601, whole seconds. Absent where a button was pressed. */
  readonly writtenAt?: string;
  /** The answer of a command that only tells. */
  readonly told?: Answer;
  /** For `fix`: the level that the configuration allows at most. */
  readonly cap?: number;
  /** For `status`: how the deployments stand that it has to do with, one for each environment. */
  readonly deployments?: readonly DeployStanding[];
  /** For `level`: how the records of the repository stand. */
  readonly ladder?: Pick<LevelFacts, "cap" | "standings" | "actions">;
  /** What it teaches, or why that cannot be remembered. */
  readonly teaches?: Taught | { readonly refusal: Refusal };
  /** For `forget`: the memories here whose ids begin as was written. */
  readonly named?: readonly { readonly id: string; readonly by?: Actor }[];
}

/** On a pull request. */
export interface CommandGiven extends Commanded {
  readonly pull: { readonly open: boolean; readonly ends: PullRequestEnds; readonly title: string };
  /** For `fix`: the head's branch as it stands in this repository; absent where it does not. */
  readonly branch?: { readonly isDefault: boolean; readonly isProtected: boolean };
  /** For `extend`: the limits of a review as configured. */
  readonly limits?: Readonly<Record<RunLimit, number>>;
}

/** On an issue, or on the pull request of the work on it and meant for that work. */
export interface IssueCommandGiven extends Commanded {
  /** As it stands now; the snapshot is for `implement` and `plan`. */
  readonly issue: { readonly open: boolean; readonly snapshot?: IssueSnapshot };
  /** The pull request of the newest work on the issue, as it stands now, where there is one. */
  readonly pull?: CommandGiven["pull"] & { readonly number: number };
  /** What `retry` with a checkpoint goes back to. */
  readonly restore?: RestorePoint | NotRestorable;
}

/** The work on a question is over, be it put to a model or to the tests: with an answer, or with the reason why there is none. */
export interface QuestionSettled extends Common {
  readonly type: "question.settled";
  readonly source: CommandSource;
  readonly index: number;
  readonly by: Actor;
  readonly thread?: number;
  readonly outcome: { readonly answer: Extract<Answer, { kind: "asked" | "tested" }> } | { readonly refusal: Refusal };
  /** USD, over all attempts. */
  readonly costUsd: number;
}

/** Somebody gave or took back a verdict in a review of a pull request: a hint, as events come in any order. */
export interface VerdictGiven extends Common {
  readonly type: "verdict.given";
}

/** Forge marked its own pull request ready for people, and heard of it. */
export interface PullReadied extends Common {
  readonly type: "pull.readied";
}

/** A worker looked at what people said on GitHub about a head (GH-14b). */
export interface HeadJudged extends Common {
  readonly type: "head.judged";
  readonly headSha: string;
  readonly judgement: Judgement;
}

/** A worker looked whether Forge may merge the pull request by itself (SAFE-4). */
export interface MergeObserved extends Common {
  readonly type: "merge.observed";
  readonly look: MergeLook;
}

/** GitHub took a merge of Forge, or did not. */
export interface MergeSettled extends Common {
  readonly type: "merge.settled";
  readonly runId: string;
  readonly headSha: string;
  readonly outcome: MergeOutcome;
}

/** The tests of a head that people pushed have ended: with an outcome, because they are not wanted any more, or because Forge could not. */
export interface HeadTested extends Common {
  readonly type: "head.tested";
  readonly traceId: string;
  readonly outcome?: TestOutcome;
  readonly cancelled?: { readonly reason: (typeof CANCEL_REASONS)[number]; readonly byHead?: string };
  readonly error?: { readonly code: string; readonly message: string; readonly attempts: number };
  /** USD, over all attempts. */
  readonly costUsd: number;
}

/** What the tests of a head that people pushed do at the moment. */
export interface TestsProgressed extends Common {
  readonly type: "tests.progressed";
  readonly traceId: string;
  readonly activity: Activity;
}

/** The suggested fixes that somebody asked for were applied to the head of a pull request as far as that went. */
export interface FixesMade extends Common {
  readonly type: "fixes.made";
  readonly source: CommandSource;
  readonly index: number;
  readonly by: Actor;
  readonly thread?: number;
  readonly outcome:
    | { readonly prepared: PreparedFix }
    /** Nothing could be applied. */
    | { readonly left: readonly FixLeftOut[] }
    | { readonly refusal: Refusal };
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

/** Nobody wants the work on an issue any more: the label was taken off, or the issue closed. */
export interface IssueEnded extends Common {
  readonly type: "issue.ended";
  readonly by: Actor;
  readonly reason: "label_removed" | "issue_closed";
  /** Whether the pull request of the work is still open, where somebody looked: merging it closes the issue too. */
  readonly pullIsOpen?: boolean;
}

/** A worker looked at the issue and its repository before it went on: the facts that decide whether and from where to work. */
export interface WorkObserved extends Common {
  readonly type: "work.observed";
  readonly runId: string;
  readonly attempt: number;
  readonly open: boolean;
  readonly configuration: RepoConfig;
  readonly base: { readonly ref: string; readonly sha: string };
  /** Where the fault is that the issue is about, if Forge deploys there. */
  readonly faultIn?: Environment;
}

/** What a phase took: `costUsd` is what all of the run cost so far. */
interface Took {
  readonly runId: string;
  readonly durationMs: number;
  readonly costUsd: number;
}

export interface PlanMade extends Common, Took {
  readonly type: "plan.made";
  readonly plan: Plan;
  readonly estimate: Estimate;
}

/** The planner found that there is nothing to do. */
export interface NothingToDo extends Common, Took {
  readonly type: "work.unnecessary";
  readonly reason: string;
}

export interface TaskDone extends Common {
  readonly type: "task.done";
  readonly runId: string;
  readonly taskId: string;
  readonly commit?: WorkCommit;
  readonly summary: string;
  readonly testsAdded?: number;
  readonly validated?: boolean;
  /** What was left out, in a sentence of the model. */
  readonly notDone?: string;
  readonly checks?: WorkChecks;
  /** Ids of memories that it followed, of those that the run was shown. */
  readonly memories?: readonly string[];
  /** The level that let Forge format the work of the round up to here. */
  readonly formatted?: number;
}

/** A round of the implementer is over. */
export interface WorkFinished extends Common, Took {
  readonly type: "work.finished";
  readonly work: WorkDone;
}

/** The tests of a head were run, or could not be. */
export interface TestsFinished extends Common, Took {
  readonly type: "tests.finished";
  readonly outcome: TestOutcome;
}

/** A phase is over: it passed, or work goes back, with what has to be dealt with. */
export interface PhaseFinished extends Common, Took {
  readonly type: "phase.finished";
  readonly phase: Phase;
  /** `reason` is a sentence. */
  readonly outcome:
    | { readonly is: "passed"; readonly reason: string }
    | {
        readonly is: "back";
        readonly cause: BounceCause;
        readonly reason: string;
        readonly feedback: readonly Feedback[];
      };
  /** Of the review of a head, which is a run of its own: what it found, took and cost. */
  readonly review?: PullReviewed;
}

/** The work needs a person before it goes on. */
export interface WorkSuspended extends Common {
  readonly type: "work.suspended";
  readonly runId: string;
  readonly question: GateQuestion;
  readonly needs: Role;
}

/** What the work does at the moment. */
export interface WorkProgressed extends Common {
  readonly type: "work.progressed";
  readonly runId: string;
  readonly progress: WorkProgress;
}

/** The work goes on at a time that its provider named (ISO 8601). */
export interface WorkParked extends Common {
  readonly type: "work.parked";
  readonly runId: string;
  readonly until: string;
  readonly message: string;
}

/** An agent ended without a result: at a limit, at an error of the model, in circles. What it did so far is in the working tree. */
export interface WorkHalted extends Common, Took {
  readonly type: "work.halted";
  readonly reason: string;
  /** A limit that people can raise; `ofRun`: that of the run over all its phases. */
  readonly limit?: RunLimit;
  readonly ofRun?: boolean;
  /** The work so far as a commit, where there is any. */
  readonly work?: Pick<WorkDone, "headSha" | "treeSha" | "commits">;
}

/** What was merged moved on its way to users. */
export interface ReleaseMoved extends Common {
  readonly type: "release.moved";
  readonly runId: string;
  readonly release: ReleaseStanding;
}

/** The work was merged, and nothing of it waits to be deployed any more. */
export interface WorkReleased extends Common {
  readonly type: "work.released";
  readonly runId: string;
}

export interface WorkFailed extends Common {
  readonly type: "work.failed";
  readonly runId: string;
  readonly error: ErrorFacts;
  readonly attempts: number;
  readonly final: boolean;
}

/** The branch of a run, or with a commit of suggested fixes, is where it should be, or somebody moved it: `movedTo` is null when it is gone. */
export interface BranchPushed extends Common {
  readonly type: "branch.pushed";
  readonly runId: string;
  readonly branch: string;
  readonly headSha: string;
  readonly movedTo?: string | null;
}

/** Somebody else than Forge pushed to the branch. Webhooks come late and in any order; `looked` is for what stood there just now. */
export interface BranchMoved extends Common {
  readonly type: "branch.moved";
  readonly by: Actor;
  readonly headSha: string;
  readonly looked?: boolean;
}

/** The pull request was made, or was found where an earlier attempt had made it. */
export interface PullOpened extends Common {
  readonly type: "pull.opened";
  readonly runId: string;
  readonly number: number;
  readonly headSha: string;
}

/** The pull request of an implementation is open no more. */
export interface PullEnded extends Common {
  readonly type: "pull.ended";
  readonly by: Actor;
  readonly merged: boolean;
}

/** People or CI said something about the pull request of an implementation. */
export interface PullSignalled extends Common {
  readonly type: "pull.signalled";
  readonly signal: PullSignal;
}

/** A signal was read in full; without feedback there is nothing to do about it. */
export interface SignalRead extends Common {
  readonly type: "signal.read";
  readonly runId: string;
  readonly signal: PullSignal;
  readonly feedback: readonly Feedback[];
}

/** What happens to an issue and the work on it. */
export type IssueInput =
  | IssueEnded
  | WorkObserved
  | PlanMade
  | NothingToDo
  | TaskDone
  | WorkFinished
  | TestsFinished
  | PhaseFinished
  | WorkSuspended
  | WorkParked
  | WorkProgressed
  | WorkHalted
  | WorkFailed
  | ReleaseMoved
  | WorkReleased
  | BranchMoved
  | PullOpened
  | PullEnded
  | PullSignalled
  | SignalRead
  | IssueCommandGiven;

/**
 * Something was learnt of what people did or of how things came out: `events` are appended to the subject's own log once for each `cause`,
 * which each of them carries, so that a crash between outcome and learning counts nothing twice.
 */
export interface LearningObserved extends Common {
  readonly type: "learning.observed";
  /** Names what happened for good, never the attempt to learn from it: "merged", or a comment with its id. */
  readonly cause: string;
  readonly events: readonly LearntEvent[];
  /** Memories that the events say were stored. */
  readonly memories?: readonly NewMemory[];
}

/** Production showed a fault of what a run made or let pass: the run is marked, whatever became of it (PROD-1). */
export interface ProductionTraced extends Common {
  readonly type: "production.traced";
  readonly runId: string;
  readonly fault: ProductionFault;
}

/** Somebody or something wants a version deployed. */
export interface DeployRequested extends OfEnvironment {
  readonly type: "deploy.requested";
  readonly deploy: DeployRequest;
}

/** A worker looked at what is to be deployed, before it began. */
export interface DeployObserved extends OfEnvironment {
  readonly type: "deploy.observed";
  readonly runId: string;
  readonly seen:
    | {
        readonly settings: EnvironmentSettings;
        readonly environment: string;
        readonly gates: RepoConfig["gates"];
        readonly separate: boolean;
        readonly watched: string[];
        readonly facts: DeployFacts;
        readonly onward: boolean;
        readonly level?: number;
      }
    | { readonly refusal: DeployRefusal };
}

/** The version was built and tested in the sandbox. */
export interface DeployVerified extends OfEnvironment {
  readonly type: "deploy.verified";
  readonly runId: string;
  readonly is: "passed" | "failed" | "skipped";
  /** A sentence. */
  readonly summary: string;
}

/** A worker or a webhook saw what became of a step. */
export interface DeployStepped extends OfEnvironment {
  readonly type: "deploy.stepped";
  readonly runId: string;
  readonly step: number;
  readonly handle?: StepHandle;
  readonly outcome: StepOutcome;
}

/** A version that is there was looked at. */
export interface DeployProbed extends OfEnvironment {
  readonly type: "deploy.probed";
  readonly runId: string;
  readonly step: number;
  readonly sample: Sample;
}

/** Time has passed for a deployment: only its clock may have run out. */
export interface DeployLooked extends OfEnvironment {
  readonly type: "deploy.looked";
  readonly runId: string;
  /** The level that counts for the version now, where the time to object to it is over. */
  readonly level?: number;
}

/** Something was heard of a deployment: a worker looks. */
export interface DeployHeard extends OfEnvironment {
  readonly type: "deploy.heard";
}

/** A model put a verdict of the judge into words. */
export interface DeployExplained extends OfEnvironment {
  readonly type: "deploy.explained";
  readonly runId: string;
  readonly explanation: Explanation;
}

/** The work on a deployment failed; `final` when it will not be tried again. */
export interface DeployFailed extends OfEnvironment {
  readonly type: "deploy.failed";
  readonly runId: string;
  readonly error: ErrorFacts;
  readonly attempts: number;
  readonly final: boolean;
}

/** A command about an environment, given on an issue or pull request. */
export interface DeployCommandGiven extends Commanded {
  readonly subject: EnvironmentSubject;
  readonly givenOn: Subject;
  /** For `deploy`: the commit that is meant, and from which on it counts, where a person says so; or why it cannot be deployed. */
  readonly target?: { readonly sha: string; readonly from?: string } | { readonly refusal: DeployRefusal };
}

/** Production told of something, and the pipeline does not know that yet (PROD-1). */
export interface FeedbackReceived extends OfEnvironment {
  readonly type: "feedback.received";
  /** In the order in which they came. */
  readonly messages: readonly ProductionFeedback[];
  /** Which change may have caused a thing, by its fingerprint. */
  readonly suspicions: ReadonlyMap<string, Suspicion>;
}

/** No message about a fault came for the configured time after the release of its fix (PROD-1). */
export interface FaultQuiet extends OfEnvironment {
  readonly type: "fault.quiet";
  readonly fingerprint: string;
  readonly fix: ReleasedFix;
  /** ISO 8601: the last message about it that counts. */
  readonly heardAt: string;
}

/** A worker looked at what asks Forge as the rule of an environment. */
export interface RuleObserved extends OfEnvironment {
  readonly type: "rule.observed";
  readonly asked: RuleRequest;
  readonly look: RuleLook;
}

/** What happens to an environment. */
export type DeployInput =
  | FeedbackReceived
  | FaultQuiet
  | DeployRequested
  | DeployObserved
  | DeployVerified
  | DeployStepped
  | DeployProbed
  | DeployLooked
  | DeployHeard
  | DeployExplained
  | DeployFailed
  | DeployCommandGiven;

/** What happens to issues and pull requests alike. */
export type CommonInput =
  | SubjectGone
  | EffectFailed
  | RequestMade
  | CommandsVoid
  | BranchPushed
  | LearningObserved
  | ProductionTraced;

/** Everything that can happen to a pull request, or to a group of a merge queue. */
export type PullInput =
  | HeadChanged
  | PullRequestClosed
  | SubjectGone
  | ReviewObserved
  | ReviewFinished
  | ReviewCarried
  | ReviewSuspended
  | ReviewParked
  | ReviewProgressed
  | ReviewFailed
  | FindingsPosted
  | CheckSettled
  | EffectFailed
  | RequestMade
  | CommandsVoid
  | CommandGiven
  | QuestionSettled
  | HeadTested
  | TestsProgressed
  | VerdictGiven
  | HeadJudged
  | PullReadied
  | MergeObserved
  | MergeSettled
  | FixesMade
  | BranchPushed
  | LearningObserved
  | ProductionTraced
  | ReplyRead;

/** Everything that can happen to a subject. */
export type Input = PullInput | IssueInput | DeployInput | RuleObserved;
