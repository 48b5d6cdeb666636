import { z } from "zod";
import { Activity } from "./activity.ts";
import { Answer } from "./answers.ts";
import { DeployStanding, PlannedStep, StepHandle, StepOutcome } from "./deployments.ts";
import { FindingCounts, PauseScope } from "./event-catalogue.ts";
import { Explanation } from "./explanations.ts";
import { Finding, FindingState, Placement } from "./findings.ts";
import { Gate, GateRequest } from "./gates.ts";
import { HiddenCount } from "./hiding.ts";
import { Anchors } from "./hunks.ts";
import { ImplementationStatus, PullDescription } from "./implementation-status.ts";
import { Level } from "./ladder.ts";
import { MergeOutcome, MergeStanding } from "./merging.ts";
import { ModelCost } from "./model-cost.ts";
import { CheckName, Conclusion } from "./phases.ts";
import { Estimate, Plan } from "./plan.ts";
import { FeedbackStanding } from "./production-feedback.ts";
import { RuleAnswer, RuleRequest } from "./protection.ts";
import { Approval, Carried, Override, QueuedPull, ReviewCoverage } from "./review-report.ts";
import { RiskReport } from "./risk.ts";
import { TestOutcome } from "./test-report.ts";

/** A finding as the check's summary and annotations need it. */
export const ReportedFinding = z.object({
  finding: Finding,
  state: FindingState,
  /** Where it can be seen already; the finding is new to people when `none`. */
  placement: Placement,
});
export type ReportedFinding = z.infer<typeof ReportedFinding>;

/** What a completed check says, as facts; `github/words` turns them into sentences. */
export const CheckReport = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("reviewed"),
    decision: z.enum(["approve", "request_changes", "require_human"]),
    open: FindingCounts,
    blocking: z.number().int().nonnegative(),
    /** All open findings, most important first. */
    findings: z.array(ReportedFinding),
    fresh: z.number().int().nonnegative(),
    fixed: z.number().int().nonnegative(),
    back: z.number().int().nonnegative(),
    beyondLimit: z.number().int().nonnegative(),
    /** Whether an earlier head of this pull request was reviewed. */
    again: z.boolean(),
    /** What people dismissed: it is not open, and everybody sees by whom and why. */
    dismissed: z.array(z.object({ findingId: z.string(), by: z.string(), reason: z.string() })).optional(),
    /** What learning hid, by class. */
    hidden: z.array(HiddenCount).optional(),
    /** The last round that comments: from here on the check alone speaks (GH-3b). */
    lastRound: z.boolean().optional(),
    /** Ids behind `fresh`, `fixed` and `back`. */
    changes: z.object({ fresh: z.array(z.string()), fixed: z.array(z.string()), back: z.array(z.string()) }).optional(),
    risk: RiskReport.optional(),
    carried: Carried.optional(),
    queued: z.array(QueuedPull).optional(),
    /** Absent where no risk waits for one. */
    approval: Approval.optional(),
    coverage: ReviewCoverage,
    durationMs: z.number().int().nonnegative(),
    costUsd: z.number().nonnegative(),
    /** Absent where no model was asked. */
    cost: ModelCost.optional(),
  }),
  /**
   * `paused`: because Forge was told to be quiet, here or in the repository. `askable`: it waits for somebody to ask for a review, and
   * saying how helps.
   */
  z.object({
    kind: z.literal("skipped"),
    reason: z.string(),
    paused: PauseScope.optional(),
    askable: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal("cancelled"),
    reason: z.enum(["superseded", "closed", "merged", "installation_removed", "repository_gone"]),
    byHead: z.string().optional(),
  }),
  /** A person interrupted the review; `by` is a login. */
  z.object({ kind: z.literal("stopped"), by: z.string() }),
  /** The tests of a head (GH-11). `work`: of Forge's own work, whose run asks people by a gate what to do about them. */
  z.object({
    kind: z.literal("tested"),
    outcome: TestOutcome,
    costUsd: z.number().nonnegative(),
    work: z.boolean().optional(),
  }),
  /** Forge could not finish: the check must not be green and must not hang. */
  z.object({ kind: z.literal("failed"), message: z.string(), code: z.string(), attempts: z.number().int() }),
]);
export type CheckReport = z.infer<typeof CheckReport>;

/** The pull request with the same head whose verdict is the worse one; the check says its report (GH-8d). */
const Shared = z.object({ number: z.number().int().positive(), report: CheckReport, overridden: Override.optional() });

const onHead = { check: CheckName, headSha: z.string() };

/** Every kind of effect with the schema of what it needs. Names are `<thing>.<verb>`; each is safe to apply twice (GH-13). */
export const EFFECT_CATALOGUE = {
  /** A new check-run, queued, so that people see at once that the head is taken. */
  "check.open": z.object({ ...onHead }),
  "check.start": z.object({ ...onHead, openKey: z.string() }),
  /** One pull request review with line comments, COMMENT by default (GH-10, GH-10b). */
  "review.post": z.object({
    headSha: z.string(),
    findings: z.array(Finding),
    /** What the diff shows of the files that have findings: a comment has to stand inside one of these ranges. */
    anchors: z.array(Anchors),
    /** At most this many line comments; the least important become annotations. */
    maxComments: z.number().int().nonnegative(),
    /** Blocking findings that are open in all. */
    blocking: z.number().int().nonnegative().optional(),
    /** Whether an earlier head was reviewed: then these findings are the new ones. */
    again: z.boolean().optional(),
    /** What opened the check that the review points to. */
    openKey: z.string().optional(),
  }),
  /** What Forge's own verdict on the pull request is from now on (GH-10b); `level` is the one at which it approves. */
  "review.verdict": z.object({
    headSha: z.string(),
    is: z.enum(["approved", "changes_requested", "none"]),
    /** Blocking findings that are open. */
    blocking: z.number().int().nonnegative(),
    level: Level.optional(),
  }),
  /** Completes the check-run that `openKey` made (or makes one), with annotations; `reviewKey` names the review posted before it. */
  "check.complete": z.object({
    ...onHead,
    openKey: z.string().optional(),
    reviewKey: z.string().optional(),
    conclusion: Conclusion,
    report: CheckReport,
    overridden: Override.optional(),
    shared: Shared.optional(),
  }),
  /** Says anew what a completed check comes to, after a command changed it; annotations stay as they are. */
  "check.revise": z.object({
    ...onHead,
    openKey: z.string(),
    completeKey: z.string(),
    conclusion: Conclusion,
    report: CheckReport,
    overridden: Override.optional(),
    shared: Shared.optional(),
  }),
  /** One of GitHub's reactions on the comment that gave a command (GH-4); a review has none. */
  "comment.react": z.object({
    comment: z.enum(["issue_comment", "review_comment"]),
    commentId: z.number().int().positive(),
    content: z.enum(["eyes", "rocket", "confused"]),
  }),
  /** An answer in words: in the thread that begins with the comment `thread`, else in the conversation. */
  "comment.reply": z.object({ thread: z.number().int().positive().optional(), answer: Answer }),
  /** The comment of a gate, as the gate stands: made once, and edited in place when it was answered or voided (SAFE-3). */
  "gate.show": z.object({ gate: Gate }),
  /** Says on the check that the review waits for a person, with the answers to press; without `request` that it goes on. */
  "check.wait": z.object({ ...onHead, openKey: z.string(), request: GateRequest.optional() }),
  /** Says on the check that the model's provider wants to be asked later; `until` is ISO 8601. */
  "check.park": z.object({ ...onHead, openKey: z.string(), until: z.string() }),
  /** Says on the check what the review does at the moment. */
  "check.progress": z.object({ ...onHead, openKey: z.string(), activity: Activity }),
  /** Closes the thread of a finding that is open no more (GH-3a); `commentId` is the comment that began it. */
  "thread.resolve": z.object({
    findingId: z.string(),
    commentId: z.number().int(),
    because: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("fixed"), headSha: z.string(), secret: z.boolean().optional() }),
      z.object({ kind: z.literal("outdated"), headSha: z.string() }),
      /** Said elsewhere: in the answer to whoever dismissed it. */
      z.object({ kind: z.literal("dismissed") }),
    ]),
  }),
  /** Opens the thread of a finding that is back. */
  "thread.reopen": z.object({
    findingId: z.string(),
    commentId: z.number().int(),
    /** The head that has it again; absent when it was never gone, only dismissed. */
    headSha: z.string().optional(),
  }),
  /** The status comment of an implementation on its issue: made once, and edited in place (GH-12). `of` is the run's version that it tells. */
  "issue.status": z.object({ status: ImplementationStatus, of: z.number().int() }),
  /** The plan on the issue (PLAN-1): made once for each run, and edited in place. `asks` names the gate that waits for it. */
  "plan.show": z.object({
    plan: Plan,
    estimate: Estimate,
    revision: z.number().int().positive(),
    gate: Gate.optional(),
    planOnly: z.boolean(),
  }),
  /** Puts commits on the run's branch; `expected` is what we believe stands there, null for nothing. The objects are those of the run's working tree. */
  "branch.push": z.object({
    branch: z.string(),
    headSha: z.string(),
    expected: z.string().nullable(),
    /** The branch is one of people, to which somebody asked Forge to add a commit. */
    theirs: z.boolean().optional(),
  }),
  "pull.open": z.object({ branch: z.string(), baseRef: z.string(), headSha: z.string(), description: PullDescription }),
  "pull.describe": z.object({ number: z.number().int().positive(), description: PullDescription }),
  /** Merges the pull request, or puts it into the merge queue, as long as this is its head and its base (SAFE-4). */
  "pull.merge": z.object({ headSha: z.string(), baseRef: z.string() }),
  /** How the merging of the pull request by Forge itself stands: one comment, edited in place. */
  "merge.show": z.object({ standing: MergeStanding }),
  "pull.ready": z.object({ number: z.number().int().positive() }),
  /** Begins a step of a deployment: a deployment on GitHub, or the run of a workflow; found again by its marker (DEP-2). */
  "deployment.begin": z.object({ step: PlannedStep }),
  /** Has the operator's program do a step of a deployment, which it knows by its marker (DEP-2). */
  "deployment.run": z.object({ step: PlannedStep }),
  /**
   * Says on a deployment of ours what became of its step, and what it is when its run is over: another step took its place, or it was rolled
   * back, or could not be.
   */
  "deployment.say": z.object({
    deploymentId: z.number().int().positive(),
    became: z.enum(["deployed", "not_deployed", "replaced", "rolled_back", "still_there", "no_earlier"]),
    reason: z.string().max(300),
    /** Of a step: how it ended, its share of the traffic in percent, and where the version can be seen. */
    step: z.object({ is: StepOutcome.shape.is, percentage: z.number(), url: z.string().optional() }).optional(),
    /** Of the run that deployed it. */
    logUrl: z.string().optional(),
  }),
  /** The comment of a deployment: made once for each run, and edited in place. `of` is the run's version that it tells. */
  "deploy.show": z.object({ standing: DeployStanding, of: z.number().int() }),
  /** The check `forge/deploy` on the commit that is deployed: made once for each run, and brought up to date. */
  "deploy.check": z.object({ standing: DeployStanding, headSha: z.string(), of: z.number().int() }),
  /** A pull request that takes back what a rollback took back, so that the next merge does not bring it again. */
  "revert.open": z.object({
    sha: z.string(),
    baseRef: z.string(),
    standing: DeployStanding,
    /** Where all that it brought is this one. */
    pull: z.number().int().positive().optional(),
    /** What was there before all of it; absent for one pull request that brought only a part of what is between. */
    to: z.string().optional(),
  }),
  /** The issue about something that production told of: opened once for each, brought up to date, and closed when it is over. */
  "feedback.show": z.object({ standing: FeedbackStanding }),
  /** An issue with the evidence: of a rollback, or of an error in production. */
  "issue.open": z.object({
    evidence: z.discriminatedUnion("of", [z.object({ of: z.literal("rollback"), standing: DeployStanding })]),
  }),
  /** Says in the issue that `openKey` opened what a model says of the verdict, where the issue was there first. */
  "issue.explain": z.object({ openKey: z.string(), explanation: Explanation }),
  /** Answers as the rule of an environment, or reports why not yet. */
  "rule.answer": z.object({ asked: RuleRequest, answer: RuleAnswer }),
} as const satisfies Record<string, z.ZodType>;

export type EffectKind = keyof typeof EFFECT_CATALOGUE;
type Payloads = { readonly [K in EffectKind]: z.infer<(typeof EFFECT_CATALOGUE)[K]> };

/** A write outside of Forge that was decided. `key` says what it is and who asked, never which attempt (GH-13). */
export type Effect = {
  readonly [K in EffectKind]: { readonly kind: K; readonly key: string; readonly payload: Payloads[K] };
}[EffectKind];

/**
 * Effects that are not written to the git host. One of them may take half an hour, and the writes of a repository go one after the other, so
 * the worker of its own run carries it out.
 */
export const CARRIED_BY_RUN = ["deployment.run"] as const satisfies readonly EffectKind[];

/** An effect that is written to the git host. */
export type HostEffect = Exclude<Effect, { kind: OwnKind }>;

type OwnKind = (typeof CARRIED_BY_RUN)[number];

export function isOnHost<E extends Pick<Effect, "kind">>(effect: E): effect is Exclude<E, { kind: OwnKind }> {
  return !CARRIED_BY_RUN.some((kind) => kind === effect.kind);
}

/** What is remembered of an effect that was applied; later effects of the run read it by key. */
export const EffectResult = z.object({
  checkRunId: z.number().int().optional(),
  /** Where people see that check-run. */
  checkUrl: z.string().optional(),
  reviewId: z.number().int().optional(),
  /** Of the comment that is edited in place. */
  commentId: z.number().int().optional(),
  /** Of the step of a deployment that was begun. */
  handle: StepHandle.optional(),
  /** Of the step that the operator's program did. */
  outcome: StepOutcome.optional(),
  /** Of the issue that was opened. */
  issueNumber: z.number().int().optional(),
  /** Of the pull request that was opened. */
  pullNumber: z.number().int().optional(),
  /** What was found on a branch instead of what was expected; null when the branch is gone. */
  movedTo: z.string().nullable().optional(),
  /** What came of merging; `said` in a refusal is GitHub's. */
  merge: MergeOutcome.optional(),
  placed: z
    .array(
      z.object({
        findingId: z.string(),
        placement: Placement,
        commentId: z.number().int().optional(),
        reason: z.string().optional(),
      }),
    )
    .optional(),
});
export type EffectResult = z.infer<typeof EffectResult>;

/** The key of an effect: repository, subject, head, kind and the request that asked, in one readable line; `about` tells apart those of one kind. */
export function effectKey(kind: EffectKind, subject: string, headSha: string, request: string, about?: string): string {
  return `${subject}/${headSha}/${kind}/${request}${about === undefined ? "" : `#${about}`}`;
}

/** Whether a member of a payload holds the key of another effect. */
export function isEffectKey(member: string): boolean {
  return member === "openKey" || member === "completeKey" || member === "reviewKey";
}
