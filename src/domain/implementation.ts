import { z } from "zod";
import { Activity } from "./activity.ts";
import { Level } from "./ladder.ts";
import type { Phase } from "./phases.ts";
import type { Estimate, Plan } from "./plan.ts";
import { RiskLevel } from "./risk.ts";
import { Actor, Role } from "./subjects.ts";

/** A person's text with who wrote it and what they may do: text of people without push permission is quoted as untrusted (SEC-5). */
const Said = z.object({ by: Actor, role: Role, at: z.string(), text: z.string() });

/** An issue as it stood at the trigger: text edited later is not read (PLAN-1). Secrets are gone, long texts cut. */
export const IssueSnapshot = z.object({
  title: z.string(),
  body: Said,
  labels: z.array(z.string()),
  /** Oldest first. */
  comments: z.array(Said),
  /** Comments that were left out, and characters that were cut off. */
  leftOut: z.object({ comments: z.number().int().nonnegative(), characters: z.number().int().nonnegative() }),
});
export type IssueSnapshot = z.infer<typeof IssueSnapshot>;

/** Why work goes back to the implementer (PIPE-5, GH-5, GH-6). */
export const BOUNCE_CAUSES = ["review", "tests", "coverage", "ci", "person", "instruction", "conflict"] as const;
export const BounceCause = z.enum(BOUNCE_CAUSES);
export type BounceCause = z.infer<typeof BounceCause>;

/** One commit of an implementation. */
export const WorkCommit = z.object({ sha: z.string(), subject: z.string(), taskId: z.string().optional() });
export type WorkCommit = z.infer<typeof WorkCommit>;

/** What the implementer says of one piece of feedback (IMPL-2). */
export const FeedbackAnswer = z.object({
  id: z.string(),
  done: z.boolean(),
  /** What was done, or why not: one to three sentences of the model, data wherever it is shown. */
  answer: z.string(),
});
export type FeedbackAnswer = z.infer<typeof FeedbackAnswer>;

/** What Forge ran on a piece of work before it was committed: the type check, and the tests that it affects (IMPL-1). */
export const WorkChecks = z.object({
  types: z.enum(["passed", "failed"]).optional(),
  tests: z
    .object({ runner: z.string(), passed: z.number().int().nonnegative(), failed: z.number().int().nonnegative() })
    .optional(),
  /** What fails because of the work, a line each: it was sent back, and stayed. */
  failing: z.array(z.string()),
  /** Why something was not run; sentences. */
  notRun: z.array(z.string()),
});
export type WorkChecks = z.infer<typeof WorkChecks>;

/** A file of the work: absent is what does not exist, before the work or after it. A renamed file has both paths. */
export const WorkFile = z.object({
  path: z.string(),
  oldPath: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
});
export type WorkFile = z.infer<typeof WorkFile>;

/** Files of a piece of work that are recorded one by one. */
export const MOST_FILES = 1_000;

/** What a round of the implementer came to. */
export const WorkDone = z.object({
  headSha: z.string(),
  treeSha: z.string(),
  /** Of this round, oldest first. */
  commits: z.array(WorkCommit),
  /** Files that differ from the base. */
  filesChanged: z.number().int().nonnegative(),
  /** The first of them, with git's object ids of what they held on the base and hold now. Absent in what was stored before it was recorded. */
  files: z.array(WorkFile).max(MOST_FILES).optional(),
  testsAdded: z.number().int().nonnegative(),
  /** Whether the type-check and the affected tests passed after the last edit, as far as they could be run. */
  validated: z.boolean(),
  answers: z.array(FeedbackAnswer),
  /** What was left out, and why; sentences of a model. */
  notDone: z.array(z.string()),
  /** Of the last piece of it; absent where nothing was checked. */
  checks: WorkChecks.optional(),
  /** Ids of memories that the round followed, of those that the run was shown: a merge speaks for them (MEM-3). */
  memories: z.array(z.string()).optional(),
  /** The level that let Forge format any of it, where it did (SAFE-4). */
  formatted: Level.optional(),
  /** The round was cut off: it goes on when the run does. */
  unfinished: z.boolean().optional(),
  /** No round of its own: the head of somebody else that was joined with the work. */
  joined: z.string().optional(),
});
export type WorkDone = z.infer<typeof WorkDone>;

/** What is being done inside a phase; USD that the run cost up to now. */
export const WorkProgress = Activity.extend({ costUsd: z.number().nonnegative() });
export type WorkProgress = z.infer<typeof WorkProgress>;

/** What the review of an implementation's head came to. */
export const PullReviewed = z.object({
  headSha: z.string(),
  /** Of the review. */
  runId: z.string(),
  decision: z.enum(["approve", "request_changes", "require_human"]),
  conclusion: z.string(),
  blocking: z.number().int().nonnegative(),
  advisory: z.number().int().nonnegative(),
  criticalSecurity: z.number().int().nonnegative(),
  risk: RiskLevel.optional(),
  costUsd: z.number().nonnegative(),
  durationMs: z.number().nonnegative().optional(),
  /** Earlier heads of which this one has what people judged: the same tree, or only the base branch was merged in (GH-14a). */
  sameAs: z.array(z.string()).optional(),
  /** All that blocks is what a person accepted on such a head. */
  accepted: z.boolean().optional(),
  /** Findings that do not block and whose fix was confirmed and tried: they go to the implementer once. */
  fixes: z
    .array(
      z.object({
        id: z.string(),
        severity: z.string(),
        file: z.string(),
        line: z.number().int(),
        message: z.string(),
        suggestion: z.string(),
      }),
    )
    .optional(),
});
export type PullReviewed = z.infer<typeof PullReviewed>;

/** Something that people or CI said about the pull request, before it is read in full through the API. */
export const PullSignal = z.discriminatedUnion("from", [
  /** `/forge fix`: findings as they were written, none for all that are open; `request` is the command's. */
  z.object({ from: z.literal("findings"), findings: z.array(z.string()), by: Actor, request: z.string() }),
  z.object({ from: z.literal("person"), reviewId: z.number().int().positive(), by: Actor }),
  z.object({
    from: z.literal("ci"),
    headSha: z.string(),
    /** Of the check, or the context of a status. */
    name: z.string(),
    app: z.string(),
    checkRunId: z.number().int().positive().optional(),
    url: z.string().optional(),
    conclusion: z.string(),
  }),
]);
export type PullSignal = z.infer<typeof PullSignal>;

/** Something that the implementer has to work on, with an id by which it answers (IMPL-2, PIPE-5). */
export const Feedback = z.discriminatedUnion("from", [
  z.object({
    from: z.literal("review"),
    id: z.string(),
    findingId: z.string(),
    severity: z.string(),
    file: z.string(),
    line: z.number().int(),
    message: z.string(),
    evidence: z.string().optional(),
    suggestion: z.string().optional(),
  }),
  z.object({
    from: z.literal("tests"),
    id: z.string(),
    name: z.string(),
    file: z.string().optional(),
    message: z.string(),
    fix: z.string().optional(),
  }),
  /** Lines of a file that the change added and no test reached: ranges, both ends included. */
  z.object({
    from: z.literal("coverage"),
    id: z.string(),
    file: z.string(),
    ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
    message: z.string(),
  }),
  /** The project's own CI: a failing job with the end of its log. */
  z.object({
    from: z.literal("ci"),
    id: z.string(),
    name: z.string(),
    message: z.string(),
    url: z.string().optional(),
  }),
  /** A person's review comment. `thread` is its first comment; absent for the review's own text. */
  z.object({
    from: z.literal("person"),
    id: z.string(),
    by: z.string(),
    message: z.string(),
    file: z.string().optional(),
    line: z.number().int().optional(),
    thread: z.number().int().positive().optional(),
  }),
  /** What a person said with `approve`, `answer`, `resume` or `retry`. */
  z.object({ from: z.literal("instruction"), id: z.string(), by: z.string(), message: z.string() }),
  /** The base moved and does not merge with the branch. */
  z.object({ from: z.literal("conflict"), id: z.string(), files: z.array(z.string()), message: z.string() }),
]);
export type Feedback = z.infer<typeof Feedback>;

/** An earlier point of a run on an issue to which it can be taken back (PIPE-6): the phase, plan and feedback of then, on the present commit. */
export interface RestorePoint {
  readonly runId: string;
  /** Of the log: the point is after so many events. */
  readonly version: number;
  readonly phase: Phase;
  /** The commit of then: where it is not the present one any more nothing is restored. */
  readonly headSha: string;
  readonly plan?: { readonly plan: Plan; readonly estimate: Estimate };
  readonly back?: { readonly cause: BounceCause; readonly feedback: readonly Feedback[] };
  /** What was done since and cannot be taken back, each in words that stand alone. */
  readonly lasting: readonly string[];
}

/** Why there is no going back to a point, in words that follow "because". */
export interface NotRestorable {
  readonly notRestorable: string;
}
