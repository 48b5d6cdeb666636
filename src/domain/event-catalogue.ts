import { z } from "zod";
import { Activity } from "./activity.ts";
import { DismissalScope, RunLimit } from "./command-arguments.ts";
import { CommandSource } from "./command-source.ts";
import { Command } from "./commands.ts";
import {
  DEPLOY_OUTCOMES,
  DeployFacts,
  DeployOutcome,
  DeployRefusal,
  DeployRequest,
  Environment,
  EnvironmentSettings,
  Hold,
  PlannedStep,
  ReleaseStanding,
  StepHandle,
  StepOutcome,
} from "./deployments.ts";
import { Explanation } from "./explanations.ts";
import { Category, Dismissal, Finding, FindingOutcome, Placement, Severity } from "./findings.ts";
import { FixLeftOut, PreparedFix } from "./fixes.ts";
import { GateId, GateRequest } from "./gates.ts";
import { FindingClass, HiddenCount, HidingReplay } from "./hiding.ts";
import {
  BounceCause,
  Feedback,
  IssueSnapshot,
  PullReviewed,
  PullSignal,
  WorkChecks,
  WorkCommit,
  WorkDone,
  WorkProgress,
} from "./implementation.ts";
import { Level, LevelAction, Miss, RunOutcome, StandingLevel, TaskKind } from "./ladder.ts";
import {
  MemoryLeftOut,
  MemoryType,
  MemoryUse,
  PATTERN_KINDS,
  PATTERN_STATES,
  PatternReplay,
  Provenance,
  PutAway,
} from "./memories.ts";
import { MergeStanding } from "./merging.ts";
import { ModelCost } from "./model-cost.ts";
import { CheckName, Conclusion, Layer, Phase, RunKind } from "./phases.ts";
import { Estimate, Plan } from "./plan.ts";
import { FeedbackStanding, ProductionFault } from "./production-feedback.ts";
import { RuleAnswer, RuleRequest } from "./protection.ts";
import { Refusal } from "./refusals.ts";
import { RepoConfig } from "./repo-config.ts";
import { Carried, Judgement, QueuedPull, RejectedClaim, ReviewCoverage } from "./review-report.ts";
import { RiskLevel, RiskReport } from "./risk.ts";
import { Sample, Verdict } from "./samples.ts";
import { Actor, EnvironmentSubject, PullRequestEnds, Role, Sha, Subject } from "./subjects.ts";
import { TestOutcome } from "./test-report.ts";

/** Why a run was started; `id` is the delivery or comment that asked, so that a repeated request is recognised. */
export const RunRequest = z.object({
  id: z.string(),
  reason: z.enum([
    "opened",
    "pushed",
    "base_changed",
    "ready",
    "reopened",
    "rerequested",
    "reconciled",
    "check_left",
    "commanded",
    "queued",
    "implemented",
    "labeled",
    /** A change broke something in production, and the level lets Forge begin. */
    "faulted",
  ]),
  /** False when a person asked for this very run: it then happens although the head was reviewed before. */
  automatic: z.boolean(),
  /** `/forge review --full`: also where Forge is paused, and without the limit of rounds. */
  full: z.boolean().optional(),
});
export type RunRequest = z.infer<typeof RunRequest>;

export const FindingCounts = z.object({
  critical: z.number().int(),
  error: z.number().int(),
  warning: z.number().int(),
  info: z.number().int(),
});
export type FindingCounts = z.infer<typeof FindingCounts>;

/** Which implementation a pull request belongs to. */
export const ImplementsRef = z.object({ issue: z.number().int().positive(), runId: z.string() });
export type ImplementsRef = z.infer<typeof ImplementsRef>;

/** A pull request, or its whole repository. */
export const PauseScope = z.enum(["subject", "repository"]);
export type PauseScope = z.infer<typeof PauseScope>;

export const CANCEL_REASONS = ["superseded", "closed", "merged", "installation_removed", "repository_gone"] as const;

/** Why an implementation ends before its time. */
export const IMPLEMENTATION_CANCEL_REASONS = [
  "label_removed",
  "issue_closed",
  "rejected",
  "pull_closed",
  "installation_removed",
  "repository_gone",
] as const;

const reason = z.string();
const error = z.object({
  code: z.string(),
  source: z.string(),
  severity: z.string(),
  recoverability: z.string(),
  message: z.string(),
  context: z.record(z.string(), z.unknown()),
});

/** Who an agent is; its id is `agent:<type>:<ulid>`. */
const AgentFacts = z.object({ id: z.string(), type: z.string(), name: z.string(), promptVersion: z.string() });
const ofAgent = { agentId: z.string() };
const toolCall = { callId: z.string(), tool: z.string() };
const agentTotals = {
  steps: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative(),
  activeMs: z.number().nonnegative(),
};

/** `without`: nothing is recalled in this run and nothing hidden by learning (MEM-6); absent in runs of before. */
const MemoryArm = z.enum(["with", "without"]);

/** A person's word on a class of findings, or Forge's own; `after` counts the changes of it before this one. */
const hidingChange = { hidingId: z.string(), after: z.number().int().nonnegative() };

/** Of what is learnt: it is in the subject's own log once for each cause (`learning.observed`). */
const learnt = { cause: z.string().min(1) };
/** What is needed of a finding to count by it; `model` is the one that made the claim. */
const ofFinding = {
  findingId: z.string(),
  rule: z.string(),
  layer: Layer,
  severity: Severity,
  category: Category,
  model: z.string().optional(),
};

const levelChange = {
  from: Level,
  level: Level,
  carries: StandingLevel.shape.carries,
  own: StandingLevel.shape.own,
  after: z.number().int().nonnegative(),
};

/** The command that wants the tests of a head to be run; `thread` is where it was given. */
const AskedTests = z.object({
  source: CommandSource,
  index: z.number().int().nonnegative(),
  thread: z.number().int().positive().optional(),
  by: Actor,
});

/** The start of a review. */
export const ReviewStarted = z.object({
  kind: z.literal("review"),
  subject: Subject,
  ends: PullRequestEnds,
  request: RunRequest,
  task: z.string(),
  estimatedCostUsd: z.number().nonnegative(),
  /** Milliseconds to wait for further pushes before work begins (GH-3). */
  debounceMs: z.number().int().nonnegative(),
  /** When GitHub last changed the pull request, as it was known then. */
  updatedAt: z.string().optional(),
  /** The run on an issue that the pull request is the work of. */
  implements: ImplementsRef.optional(),
  memory: MemoryArm.optional(),
});

/** A review began to work; `ends` as the API gave them then, and the configuration that the run keeps (PIPE-3). */
export const ReviewEntered = z.object({
  phase: Phase,
  ends: PullRequestEnds,
  configuration: RepoConfig,
  updatedAt: z.string().optional(),
});

const RunStarted = z.discriminatedUnion("kind", [
  ReviewStarted,
  z.object({
    kind: z.literal("implement"),
    subject: Subject,
    request: RunRequest,
    task: z.string(),
    issue: IssueSnapshot,
    /** `/forge plan`: nothing but the plan is wanted. */
    planOnly: z.boolean(),
    instructions: z.string().optional(),
    estimatedCostUsd: z.number().nonnegative(),
    memory: MemoryArm.optional(),
  }),
  z.object({ kind: z.literal("deploy"), subject: EnvironmentSubject, deploy: DeployRequest, task: z.string() }),
]);

/** The issue or pull request where people answer a deployment. Undefined for the other kinds, which ask on their own subject. */
export function answeredAt(started: z.infer<typeof RunStarted>): Subject | undefined {
  return started.kind === "deploy" ? started.deploy.about : undefined;
}

/**
 * Every kind of event with the schema of its payload (EVT-1, EVT-2): names, union and validation all derive from this one list. A type
 * is added here in the commit that first emits it; one that was ever stored is never removed or made stricter.
 */
export const EVENT_CATALOGUE = {
  "webhook.received": z.object({ deliveryId: z.string(), event: z.string(), action: z.string().optional() }),
  "run.started": RunStarted,
  /** `request`: of the person who has it go on after a stop or with a raised limit; absent where a worker takes it up again. */
  "run.resumed": z.object({
    attempt: z.number().int().positive(),
    reason,
    request: RunRequest.optional(),
    instructions: z.string().optional(),
  }),
  /** A person interrupted it; it keeps what it has. */
  "run.stopped": z.object({
    /** Why Forge stopped by itself, in words; absent where a person did. */
    reason: reason.optional(),
    limit: RunLimit.optional(),
    /** The limit is that of the run over all its phases. */
    ofRun: z.boolean().optional(),
  }),
  "run.completed": z.object({
    outcome: z.enum([
      ...["approved", "advisory", "changes_requested", "human_required", "needs_look", "incomplete", "skipped"],
      ...["merged", "planned", "nothing_to_do"],
      ...DEPLOY_OUTCOMES,
    ] as const),
    conclusion: Conclusion,
    phases: z.array(Phase),
    durationMs: z.number().int().nonnegative(),
    totals: z.object({ findings: FindingCounts, costUsd: z.number(), tokens: z.number() }),
    artifacts: z.array(z.string()),
  }),
  /** A worker looked at what is to be deployed: the settings that the run keeps, and what it brings. */
  "deployment.observed": z.object({
    settings: EnvironmentSettings,
    /** As GitHub names the environment. */
    environment: z.string(),
    gates: RepoConfig.shape.gates,
    facts: DeployFacts,
    /** What is watched, by name; empty where the operator has no source for it. */
    watched: z.array(z.string()),
    separate: z.boolean(),
    /** What a rollback goes back to: the last version that was found healthy there. */
    back: Sha.optional(),
    /** The version to go on to afterwards, where a merge goes further than here. */
    onward: z.boolean().optional(),
    /** The level that counted for the version then, where nobody asked for it (SAFE-4). */
    level: Level.optional(),
  }),
  /** The version was built and tested in the sandbox, or could not be; `summary` is a sentence. */
  "deployment.verified": z.object({ is: z.enum(["passed", "failed", "skipped"]), summary: z.string() }),
  "deployment.started": z.object({ step: PlannedStep }),
  /** Forge deploys it by itself at `due` (ISO 8601), unless a person objects (SAFE-4). */
  "deployment.announced": z.object({ due: z.string(), level: Level }),
  /** What became of a step: begun with its handle, under way, done, or not. */
  "deployment.progressed": z.object({
    step: z.number().int().nonnegative(),
    handle: StepHandle.optional(),
    outcome: StepOutcome,
  }),
  /** A look at a version that is there: what was read, and what the judge says of it. With these a verdict can be replayed. */
  "deployment.judged": z.object({ step: z.number().int().nonnegative(), sample: Sample, verdict: Verdict }),
  /** The judge could not tell about a step for so long that Forge asks a person. */
  "deployment.unclear": z.object({ step: z.number().int().nonnegative() }),
  /** A model put a verdict of the judge into words (TOOLS-3); nothing follows from it. */
  "deployment.explained": Explanation,
  /** A person lets a step go on that the judge cannot tell about. */
  "deployment.promoted": z.object({ step: z.number().int().nonnegative(), reason: reason.optional() }),
  /** It goes back: by the judge's verdict, because a step failed, or because a person asked for it. */
  "deployment.rolled_back": z.object({
    from: Sha,
    /** Absent where there is nothing to go back to. */
    to: Sha.optional(),
    why: z.enum(["worse", "disaster", "failed", "person", "alert"]),
    reason,
  }),
  /** The end of a deployment. */
  "deployment.completed": z.object({
    outcome: DeployOutcome,
    sha: Sha,
    refusal: DeployRefusal.optional(),
    /** A sentence. */
    reason: reason.optional(),
  }),
  /** A person passes the check of a deployment that ended badly; what runs there stays as it is. */
  "deployment.overridden": z.object({ reason }),
  /** Production told of something for the first time, ten times as often, that it is over, or that it is there again (PROD-1). */
  "feedback.received": z.object({ standing: FeedbackStanding }),
  /** Production showed a fault of what this run made or let pass; in the log of that run, whatever became of it (PROD-1). */
  "production.traced": z.object({ fault: ProductionFault }),
  /** What runs in an environment from now on; in its own log. A log can begin with any of these. */
  "environment.deployed": z.object({ sha: Sha, runId: z.string(), healthy: z.boolean() }),
  /** Nothing is deployed to it until a person releases it. */
  "environment.held": z.object({ hold: Hold }),
  "environment.released": z.object({}),
  /** One is under way: this one is next, in place of any that was next before. */
  "environment.queued": z.object({ deploy: DeployRequest }),
  "environment.unqueued": z.object({}),
  /** What Forge answered as the rule of an environment, or reported (GH-7). */
  "rule.answered": z.object({ asked: RuleRequest, answer: RuleAnswer }),
  "run.failed": z.object({ error, attempts: z.number().int().positive() }),
  "run.cancelled": z.object({
    reason: z.enum([...CANCEL_REASONS, ...IMPLEMENTATION_CANCEL_REASONS]),
    byHead: z.string().optional(),
  }),
  /** `ends` as the API gave them when work began; the configuration is the snapshot that the run keeps (PIPE-3). */
  "phase.entered": z.union([
    ReviewEntered,
    /** Of an implementation; `round` counts how often the phase was entered, from 1. */
    z.object({ phase: Phase, round: z.number().int().positive(), reason }),
  ]),
  /** `costUsd`: what all of the run cost up to then. */
  "phase.completed": z.object({
    phase: Phase,
    durationMs: z.number().int().nonnegative(),
    costUsd: z.number().nonnegative().optional(),
  }),
  /** Work goes back with what it has to deal with (PIPE-5); `bounce` counts those of this cause, from 1. */
  "phase.bounced": z.object({
    from: Phase,
    to: Phase,
    cause: BounceCause,
    bounce: z.number().int().positive(),
    reason,
    feedback: z.array(Feedback),
  }),
  /** Work on an issue began: the configuration is the snapshot that the run keeps (PIPE-3), `base` what it starts from. */
  "work.observed": z.object({
    configuration: RepoConfig,
    base: z.object({ ref: z.string(), sha: z.string() }),
    /** The issue is about a fault there, and the release of the fix closes it, not the merge (PROD-1). */
    faultIn: Environment.optional(),
  }),
  /** What an agent of the run does at the moment, told now and then while a phase goes on (GH-12). */
  "work.progressed": WorkProgress,
  /** What was merged moved on its way to users (GH-7). */
  "release.moved": z.object({ release: ReleaseStanding }),
  /** `revision` counts the plans of a run from 1; `because` says what a later one was changed for. */
  "plan.proposed": z.object({
    plan: Plan,
    estimate: Estimate,
    revision: z.number().int().positive(),
    because: z.string().optional(),
  }),
  /** The plan needs no approval, or a person approved it without changes. */
  "plan.accepted": z.object({ revision: z.number().int().positive() }),
  /** A person wants another plan. */
  "plan.change_wanted": z.object({ instructions: z.string() }),
  /** One task of the plan is done, or there was nothing to change for it: then it has no commit. */
  "task.completed": z.object({
    taskId: z.string(),
    commit: WorkCommit.optional(),
    summary: z.string(),
    testsAdded: z.number().int().nonnegative().optional(),
    validated: z.boolean().optional(),
    notDone: z.string().optional(),
    checks: WorkChecks.optional(),
    /** Ids of memories that it followed, of those that the run was shown (MEM-3). */
    memories: z.array(z.string()).optional(),
    /** The level that let Forge format the work of the round up to here. */
    formatted: Level.optional(),
  }),
  "work.completed": WorkDone,
  "branch.pushed": z.object({ branch: z.string(), headSha: z.string() }),
  /** Another user pushed to the branch: their commits are part of the work from here on. Empty: they deleted it. */
  "branch.adopted": z.object({ headSha: z.string() }),
  /** A branch of that name was there before the run's first push, and stays as it is. */
  "branch.taken": z.object({ branch: z.string() }),
  "pull.opened": z.object({ number: z.number().int().positive(), headSha: z.string() }),
  /** It was merged, and what it became is to be deployed. */
  "pull.merged": z.object({}),
  "pull.reviewed": PullReviewed,
  "pull.ready": z.object({ headSha: z.string() }),
  /** People or CI said something about the pull request that has to be read. */
  "pull.signalled": PullSignal,
  /** A check of others on the head ended well: the project's own CI. */
  "ci.passed": z.object({ headSha: z.string(), name: z.string(), app: z.string() }),
  /** What a signal came to when it was read; without feedback there was nothing to do. */
  "signal.read": z.object({ signal: PullSignal, feedback: z.array(Feedback) }),
  "test.passed": TestOutcome,
  "test.failed": TestOutcome,
  /** Nothing was run; the outcome says why. */
  "test.skipped": TestOutcome,
  "test.flaky": z.object({ name: z.string() }),
  /** The tests of a head that people pushed are to be run; what the models do for them is in the log `traceId`. A log can begin with this. */
  "tests.requested": z.object({
    subject: Subject,
    traceId: z.string(),
    /** The review that they follow, or that was the newest; the subject's own log where there is none. */
    runId: z.string(),
    headSha: z.string(),
    baseRef: z.string(),
    /** How many of them are run depends on it. */
    risk: RiskLevel.optional(),
    /** The command that wants them; absent where they run by themselves. */
    asked: AskedTests.optional(),
    /** Their check appears with what they came to, and not at all where there is nothing to run. */
    quiet: z.boolean().optional(),
  }),
  /** They came to an end, or to none: then there is no `test.passed`, `test.failed` or `test.skipped` before it. */
  "tests.ended": z.object({
    traceId: z.string(),
    conclusion: Conclusion,
    costUsd: z.number().nonnegative(),
    cancelled: z.object({ reason: z.enum(CANCEL_REASONS), byHead: z.string().optional() }).optional(),
    error: z.object({ code: z.string(), message: z.string(), attempts: z.number().int() }).optional(),
  }),
  "phase.failed": z.object({ phase: Phase, error }),
  "phase.skipped": z.object({ phase: Phase, reason }),
  "finding.detected": z.object({ finding: Finding }),
  /** A claim of a model that did not become a finding: refuted, outvoted, or about code that is not there (REV-4). */
  "finding.rejected": RejectedClaim,
  /** `outdated`: nothing was fixed, its file left the change. */
  "finding.resolved": z.object({ findingId: z.string(), headSha: z.string(), outdated: z.literal(true).optional() }),
  "finding.regressed": z.object({ finding: Finding, headSha: z.string() }),
  /** Of a person's command, or of a review that met what a standing dismissal covers. */
  "finding.dismissed": z.object({ findingId: z.string(), dismissal: Dismissal }),
  "finding.undismissed": z.object({ findingId: z.string() }),
  "finding.posted": z.object({
    findingId: z.string(),
    placement: Placement,
    commentId: z.number().int().optional(),
    reason: reason.optional(),
  }),
  /** Learning hid it: it is in no ledger, and the check counts it. */
  "finding.hidden": z.object({ finding: Finding, hidingId: z.string() }),
  /** People dismissed the same again and again: it is theirs to say whether that is hidden from here on. */
  "hiding.proposed": z.object({ ...learnt, class: FindingClass, replay: HidingReplay }),
  "hiding.approved": z.object(hidingChange),
  "hiding.withdrawn": z.object(hidingChange),
  /** What became of a probe; right is what people dismissed as well. */
  "hiding.judged": z.object({
    ...learnt,
    hidingId: z.string(),
    findingId: z.string(),
    is: z.enum(["right", "wrong"]),
  }),
  /** Too many probes were wrong. */
  "hiding.ended": z.object({ ...learnt, ...hidingChange, wrong: z.number().int().positive() }),
  "risk.assessed": RiskReport,
  "review.completed": z.object({
    decision: z.enum(["approve", "request_changes", "require_human"]),
    conclusion: Conclusion,
    coverage: ReviewCoverage,
    open: FindingCounts,
    blocking: z.number().int().nonnegative(),
    fresh: z.number().int().nonnegative(),
    fixed: z.number().int().nonnegative(),
    back: z.number().int().nonnegative(),
    /** Findings that were reported beyond what one run records; counted, not stored. */
    beyondLimit: z.number().int().nonnegative(),
    /** Findings that were to become comments (GH-3b counts rounds by it). */
    commented: z.number().int().nonnegative().optional(),
    /** The last round that comments: from here on the check alone speaks (GH-3b). */
    lastRound: z.boolean().optional(),
    /** Ids behind `fresh`, `fixed` and `back`. */
    changes: z.object({ fresh: z.array(z.string()), fixed: z.array(z.string()), back: z.array(z.string()) }).optional(),
    carried: Carried.optional(),
    queued: z.array(QueuedPull).optional(),
    /** What models cost; absent where none was asked. */
    cost: ModelCost.optional(),
    /** Which kind of task the change is, by its files, labels and title. */
    task: TaskKind.optional(),
    /** Written by earlier versions: a file that decides what runs with whose rights, or tells agents what to do. */
    governs: z.string().optional(),
    /** Files that a person has to look at: Forge approves and merges by itself only where it is known that there are none. */
    forPeople: z.array(z.string()).optional(),
    /** A risk that is high waits for an approving review of a person here (REV-2). */
    asks: z.boolean().optional(),
    /** Then: logins and teams one of whom a critical risk waits for; none stands for the maintainers. */
    architects: z.array(z.string()).optional(),
    /** What learning hid, by class. */
    hidden: z.array(HiddenCount).optional(),
  }),
  /**
   * What people with push permission, other than the author, said on GitHub about a head, at the time Forge looked: logins. A log
   * can begin with this.
   */
  "head.judged": z.object({ subject: Subject, headSha: z.string(), ...Judgement.shape }),
  "check.settled": z.object({ check: CheckName, headSha: z.string(), conclusion: Conclusion, checkRunId: z.number() }),
  /** A comment or a press with commands was seen: from here on it is never taken again (GH-4). The log of a subject begins with it. */
  "comment.taken": z.object({ subject: Subject, source: CommandSource, deliveryId: z.string() }),
  /** `index` counts the commands of a comment from 0; −1 stands for the comment as a whole. */
  "command.received": z.object({ source: CommandSource, index: z.number().int(), role: Role, command: Command }),
  "command.refused": z.object({
    source: CommandSource,
    index: z.number().int(),
    role: Role.optional(),
    refusal: Refusal,
  }),
  /** A question was answered, or why it was not; what the model did is in the log that `traceId` names. */
  "question.settled": z.object({
    source: CommandSource,
    index: z.number().int(),
    traceId: z.string(),
    costUsd: z.number().nonnegative(),
    refusal: Refusal.optional(),
  }),
  /** The commit that `/forge fix` asked for is made and kept; it is pushed next. `thread` is where the command was given. */
  "fix.prepared": PreparedFix.extend({
    source: CommandSource,
    index: z.number().int(),
    thread: z.number().int().optional(),
  }),
  /** `/forge fix` is over: with what was pushed, with nothing that could be applied, or with the reason why nothing was. */
  "fix.settled": z.object({
    source: CommandSource,
    index: z.number().int(),
    headSha: z.string().optional(),
    applied: z.array(z.string()),
    left: z.array(FixLeftOut),
    refusal: Refusal.optional(),
  }),
  /** The pull request was closed or reopened. Another pull request may be open for its head. A log can begin with this. */
  "subject.closed": z.object({ subject: Subject, merged: z.boolean() }),
  "subject.reopened": z.object({}),
  "subject.paused": z.object({ scope: PauseScope }),
  "subject.unpaused": z.object({ scope: PauseScope }),
  /** The AI layer may look at this change although its author cannot push (GH-8c), or may no longer look at it. */
  "subject.trusted": z.object({}),
  "subject.untrusted": z.object({}),
  /** A person raised a limit of a run; `amount` in USD, calls or minutes. */
  "limit.extended": z.object({ runId: z.string(), limit: RunLimit, amount: z.number().positive() }),
  /** Something about a run that was under way, or over, that is worth knowing before its end (RUN-1). */
  "run.noted": z.object({
    ...learnt,
    runId: z.string(),
    /** Work went back from `phase` twice; half of its money was spent; more than one of ten calls of tools failed; a person decided otherwise. */
    what: z.enum(["bounced_twice", "half_spent", "errors", "overridden"]),
    phase: Phase.optional(),
  }),
  /** A run that ended, as far as it can be counted (RUN-1); `episodes`: how many were remembered of it. */
  "run.reflected": z.object({
    ...learnt,
    runId: z.string(),
    kind: RunKind,
    task: z.string(),
    outcome: z.enum(["success", "failure", "partial"]),
    phases: z.array(Phase),
    costUsd: z.number().nonnegative(),
    durationMs: z.number().int().nonnegative(),
    bounces: z.number().int().nonnegative(),
    breakers: z.array(z.string()),
    tools: z.object({ calls: z.number().int().nonnegative(), failed: z.number().int().nonnegative() }),
    /** What tests, CI and the own review held against the work, and how much of it was fixed. */
    raised: z.object({ all: z.number().int().nonnegative(), mended: z.number().int().nonnegative() }),
    episodes: z.number().int().nonnegative(),
    /** What asking the fast model about it cost; absent where it was not asked. */
    reflectionUsd: z.number().nonnegative().optional(),
  }),
  /** A person set the level of the repository (SAFE-4); `after` counts the changes of it before this one. */
  "level.set": z.object({ ...levelChange }),
  /** Forge took its own level down. */
  "level.demoted": z.object({ ...levelChange, cause: z.string().min(1), miss: Miss }),
  /** Forge did something by itself that its level lets it do. */
  "level.acted": z.object({ level: Level, action: LevelAction, headSha: z.string() }),
  /** Forge's own verdict on the pull request on GitHub is to be this from now on (GH-10b). */
  "verdict.set": z.object({ is: z.enum(["approved", "changes_requested", "none"]), headSha: z.string() }),
  /** Where the merging of the pull request by Forge itself stands from now on (SAFE-4). */
  "merge.set": z.object({ standing: MergeStanding }),
  /** What became of a run, as far as it is known now: a later one of the same run takes its place. */
  "run.outcome": RunOutcome,
  "check.overridden": z.object({ check: CheckName, headSha: z.string(), reason }),
  /** A person dismissed a finding; `seconds` from when it could be seen, absent where nobody was shown it (HUM-4). */
  "feedback.human_dismissed": z.object({
    ...learnt,
    ...ofFinding,
    scope: DismissalScope,
    reasoned: z.boolean(),
    seconds: z.number().nonnegative().optional(),
  }),
  /** A person who may push voted on a finding's comment by 👍 or 👎; each person's first vote counts. */
  /** A person remarked on lines that Forge had looked at and said nothing about: it missed something (HUM-3). The text is in no event. */
  "feedback.human_comment": z.object({
    ...learnt,
    file: z.string(),
    line: z.number().int().positive(),
    endLine: z.number().int().positive(),
    headSha: z.string(),
  }),
  "feedback.reaction": z.object({ ...learnt, ...ofFinding, is: z.enum(["up", "down"]) }),
  /** The suggestion of a finding is in what was merged, no matter who typed it. */
  "feedback.suggestion_applied": z.object({ ...learnt, ...ofFinding }),
  /** Something else took the place of what the suggestion was to replace: that, cut and without secrets. */
  "feedback.suggestion_rewritten": z.object({
    ...learnt,
    ...ofFinding,
    file: z.string(),
    suggested: z.string(),
    taken: z.string(),
  }),
  /** What became of a finding by the time its change was merged, read from the text of the base branch (HUM-4). */
  "feedback.outcome": z.object({
    ...learnt,
    ...ofFinding,
    outcome: FindingOutcome,
    /** What became of its suggestion, where it had one and that can be said. */
    suggestion: z.enum(["applied", "rewritten", "ignored"]).optional(),
    /** Where people could see it. */
    placement: Placement,
    /** It was dismissed, but its lines were changed anyway. */
    mended: z.boolean().optional(),
  }),
  /** People pushed commits to the pull request of Forge's own work, which was merged with them. */
  "feedback.human_edited": z.object({
    ...learnt,
    issue: z.number().int(),
    runId: z.string(),
    pushes: z.number().int(),
  }),
  /** A pull request was merged: what its reviews came to (MET-1). `firstPass`: the first of them asked for nothing. */
  "metric.collected": z.object({
    ...learnt,
    reviews: z.number().int().nonnegative(),
    findings: z.number().int().nonnegative(),
    comments: z.number().int().nonnegative(),
    firstPass: z.boolean(),
  }),
  /** `fresh` is false when the same was remembered before. */
  "memory.stored": z.object({
    memoryId: z.string(),
    type: MemoryType,
    repositoryId: z.number().int().optional(),
    fresh: z.boolean(),
    provenance: Provenance,
    /** What it was learnt from: the same is learnt once. */
    cause: z.string().optional(),
  }),
  /** `query` is cut and without secrets; scores compare within one recall only, similarity is a cosine. */
  "memory.recalled": z.object({
    query: z.string(),
    items: z.array(
      z.object({
        memoryId: z.string(),
        type: MemoryType,
        score: z.number(),
        similarity: z.number(),
        provenance: Provenance,
      }),
    ),
    tokens: z.number().int().nonnegative(),
    /** Memories that would have been among the items but for the token budget. */
    beyondBudget: z.number().int().nonnegative(),
    /** True when no embedding could be had and words alone decided. */
    wordsOnly: z.boolean(),
    durationMs: z.number().nonnegative(),
    /** Memories that would have been among the items, but are not to be believed now. */
    leftOut: z.array(MemoryLeftOut).optional(),
  }),
  /** What came of memories: they are believed more or less from now on, once for each cause. */
  "memory.applied": z.object({
    memoryIds: z.array(z.string()),
    use: MemoryUse,
    during: z.string(),
    cause: z.string().optional(),
  }),
  /**
   * What tidying found among the memories of a repository (MEM-4), in the log of its memories: those that say what an earlier one says, and
   * patterns that were proposed or judged by a replay. Nothing of it changes a memory's words.
   */
  "memory.consolidated": z.object({
    ...learnt,
    linked: z.array(z.object({ memoryId: z.string(), to: z.string() })).optional(),
    /** They say the same as another one no more. */
    unlinked: z.array(z.string()).optional(),
    pattern: z
      .object({
        patternId: z.string(),
        state: z.enum(PATTERN_STATES),
        kind: z.enum(PATTERN_KINDS),
        frequency: z.number().int().positive(),
        episodes: z.array(z.string()),
        replay: PatternReplay.optional(),
      })
      .optional(),
  }),
  /** Archived by itself: `restore` brings each of them back. */
  "memory.pruned": z.object({
    ...learnt,
    memories: z.array(PutAway.omit({ at: true }).extend({ memoryId: z.string() })),
  }),
  /** A person brought back what was archived. */
  "memory.restored": z.object({ memoryId: z.string() }),
  /** A person had it deleted for good. */
  "memory.forgotten": z.object({ memoryId: z.string() }),
  "agent.started": z.object({
    agent: AgentFacts,
    tools: z.array(z.string()),
    iterationLimit: z.number().int().positive(),
  }),
  /** The loop goes on after an end or a wait: by an answer, a new instruction, a word on a tool call, or for another reason. */
  "agent.resumed": z.object({ ...ofAgent, by: z.enum(["answer", "instruction", "approval", "reopened"]) }),
  /** One model call that was answered; what it used is here, in full. */
  "agent.reasoned": z.object({
    ...ofAgent,
    step: z.number().int().positive(),
    provider: z.string(),
    model: z.string(),
    stopReason: z.string(),
    usage: z.object({
      inputTokens: z.number().int(),
      cacheReadTokens: z.number().int(),
      cacheWriteTokens: z.number().int(),
      outputTokens: z.number().int(),
    }),
    costUsd: z.number().nonnegative(),
    latencyMs: z.number().nonnegative(),
  }),
  /** One step is over: what the model decided, by which tools, and its words on why. */
  "agent.iteration": z.object({
    ...ofAgent,
    step: z.number().int().nonnegative(),
    decision: z.enum(["call_tools", "complete", "ask_human", "answer", "none"]),
    tool: z.string(),
    rationale: z.string(),
  }),
  "agent.completed": z.object({ ...ofAgent, ...agentTotals }),
  /** Ended without a result; `reason` is the end reason of the loop, `limit` which limit it was: `cost`, `iterations`, `time`, ... */
  "agent.failed": z.object({ ...ofAgent, ...agentTotals, reason, message: z.string(), limit: z.string().optional() }),
  /** A person had a run go on from an earlier point of itself: the version of its log, and the phase. */
  "checkpoint.restored": z.object({ version: z.number().int().positive(), phase: Phase }),
  /** A limit ended an agent's work: which, whose it is, and where it stood (SAFE-1); calls, USD, milliseconds or a share, as the limit is. */
  "breaker.tripped": z.object({
    ...ofAgent,
    breaker: z.string(),
    scope: z.string().optional(),
    limit: z.number(),
    current: z.number(),
  }),
  /** A person had it go on anyway. */
  "breaker.reset": z.object({ ...ofAgent, breaker: z.string() }),
  /** A fifth or less of the money is left that the next call counts against: the agent gets a note. */
  "cost.threshold_reached": z.object({
    ...ofAgent,
    leftUsd: z.number().nonnegative(),
    leftShare: z.number().min(0).max(1),
  }),
  "agent.stopped": z.object({ ...ofAgent, ...agentTotals, message: z.string() }),
  "agent.reflected": z.object({
    ...ofAgent,
    occasion: z.enum(["success", "error", "escalation", "breaker"]),
    learnings: z.number().int().nonnegative(),
    costUsd: z.number().nonnegative(),
  }),
  "agent.escalated": z.object({ ...ofAgent, question: z.string(), reason }),
  "agent.stagnated": z.object({
    ...ofAgent,
    pattern: z.enum(["same_messages", "same_failure"]),
    times: z.number().int(),
  }),
  "agent.compressed": z.object({
    ...ofAgent,
    beforeTokens: z.number().int().nonnegative(),
    afterTokens: z.number().int().nonnegative(),
    messages: z.number().int().nonnegative(),
  }),
  "agent.warning": z.object({ ...ofAgent, about: z.string(), message: z.string() }),
  /** `input` is JSON, redacted and cut. */
  "tool.called": z.object({ ...ofAgent, ...toolCall, input: z.string() }),
  "tool.completed": z.object({
    ...ofAgent,
    ...toolCall,
    durationMs: z.number().nonnegative(),
    resultCharacters: z.number().int().nonnegative(),
    retries: z.number().int().nonnegative(),
  }),
  "tool.failed": z.object({
    ...ofAgent,
    ...toolCall,
    durationMs: z.number().nonnegative(),
    retries: z.number().int().nonnegative(),
    code: z.string(),
    message: z.string(),
  }),
  "tool.skipped": z.object({ ...ofAgent, ...toolCall, reason }),
  "tool.approval_requested": z.object({ ...ofAgent, ...toolCall, input: z.string(), reason }),
  "tool.approval_resolved": z.object({
    ...ofAgent,
    ...toolCall,
    verdict: z.enum(["approved", "denied", "skipped", "overridden"]),
    reason: reason.optional(),
  }),
  /** What a review does at the moment, told now and then while it goes on (GH-12). */
  "review.progressed": Activity,
  /** The work waits for a provider; `message` is what that said. */
  "review.parked": z.object({ until: z.string(), message: z.string() }),
  /** The run waits for a person (SAFE-3, LOOP-15); `needs` is who may answer. */
  "gate.requested": GateRequest,
  "gate.approved": z.object({ gate: GateId, note: z.string().optional() }),
  "gate.rejected": z.object({ gate: GateId, note: z.string().optional() }),
  /** Nobody answered in time: counts as rejected. */
  "gate.timeout": z.object({ gate: GateId }),
  /** The run ended or was stopped before anybody answered; `byHead` is the head that took its place. */
  "gate.voided": z.object({ gate: GateId, byHead: z.string().optional() }),
  "guardrail.triggered": z.object({
    ...ofAgent,
    guardrail: z.string(),
    stage: z.enum(["tool_input", "tool_output", "reply"]),
    severity: z.string(),
    tripwire: z.boolean(),
    reason,
    tool: z.string().optional(),
  }),
  "error.occurred": z.object({ error, during: z.string() }),
  "error.recovered": z.object({ during: z.string(), attempts: z.number().int().positive() }),
  /** `effect`: the kind of the effect that failed; events of old name its key alone, in `during`. */
  "error.escalated": z.object({ error, during: z.string(), effect: z.string().optional() }),
} as const satisfies Record<string, z.ZodType>;

export type EventType = keyof typeof EVENT_CATALOGUE;
export type ReviewCompleted = z.infer<(typeof EVENT_CATALOGUE)["review.completed"]>;
export type TaskCompleted = z.infer<(typeof EVENT_CATALOGUE)["task.completed"]>;
