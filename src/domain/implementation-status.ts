import { z } from "zod";
import { Activity } from "./activity.ts";
import { Environment, ReleaseStanding } from "./deployments.ts";
import { GateQuestion } from "./gates.ts";
import { BounceCause, WorkCommit } from "./implementation.ts";
import { Phase, WorkPhase } from "./phases.ts";
import { Estimate, Plan } from "./plan.ts";
import { ProductionFault } from "./production-feedback.ts";
import { TestOutcome } from "./test-report.ts";

const PhaseStanding = z.object({
  phase: WorkPhase,
  state: z.enum(["to_come", "active", "done", "again"]),
  /** How often it was entered. */
  times: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative(),
  durationMs: z.number().nonnegative(),
});

/** What is being done at the moment. */
const Step = z.discriminatedUnion("is", [
  z.object({ is: z.literal("beginning") }),
  /** `made`: the plan is there, and is not being changed. */
  z.object({ is: z.literal("planning"), revision: z.number().int().nonnegative(), made: z.literal(true).optional() }),
  z.object({
    is: z.literal("task"),
    done: z.number().int().nonnegative(),
    all: z.number().int().positive(),
    title: z.string(),
  }),
  z.object({ is: z.literal("feedback"), cause: BounceCause, items: z.number().int().nonnegative() }),
  z.object({ is: z.literal("pushing") }),
  z.object({ is: z.literal("reviewing") }),
  z.object({ is: z.literal("testing") }),
  /** A phase with no words of its own. */
  z.object({ is: z.literal("in_phase"), phase: Phase }),
  /** The pull request is ready: people have the word. `leftDraft`: why GitHub would not show it so, a sentence. */
  z.object({ is: z.literal("ready"), leftDraft: z.string().optional() }),
]);

/** How an implementation ended, or where it stands still. */
const Ending = z.discriminatedUnion("is", [
  z.object({ is: z.literal("merged") }),
  /** `/forge plan`: there was nothing more to do. */
  z.object({ is: z.literal("planned") }),
  z.object({ is: z.literal("nothing_to_do"), reason: z.string() }),
  /** Kept as it is; `by` is a login where a person stopped it. `limit`: it ended at that limit, which can be raised. */
  z.object({
    is: z.literal("stopped"),
    by: z.string().optional(),
    reason: z.string(),
    limit: z.enum(["usd", "iterations", "minutes"]).optional(),
  }),
  z.object({ is: z.literal("failed"), message: z.string(), code: z.string() }),
  z.object({ is: z.literal("cancelled"), reason: z.string(), by: z.string().optional() }),
]);

/** The status comment of an implementation, as facts (GH-12). */
export const ImplementationStatus = z.object({
  task: z.string(),
  requestedBy: z.string(),
  step: Step,
  /** What its agent does inside the step, as it was told last. */
  doing: Activity.omit({ doing: true }).extend({ is: Activity.shape.doing }).optional(),
  phases: z.array(PhaseStanding),
  usedUsd: z.number().nonnegative(),
  limitUsd: z.number().nonnegative(),
  branch: z.string().optional(),
  pull: z.object({ number: z.number().int(), draft: z.boolean() }).optional(),
  commits: z.number().int().nonnegative(),
  /** At an ending: GitHub does not have the newest of them. */
  unpushed: z.boolean().optional(),
  testsAdded: z.number().int().nonnegative(),
  tasks: z.object({ done: z.number().int().nonnegative(), all: z.number().int().nonnegative() }),
  /** Open gates. */
  gates: z.array(z.object({ gate: z.string(), question: GateQuestion, deadline: z.string() })),
  bounces: z.record(z.string(), z.number().int()),
  ending: Ending.optional(),
  /** What production showed of it since, oldest first. */
  faults: z.array(ProductionFault).optional(),
  /** Where the version is that it was merged into. */
  release: ReleaseStanding.optional(),
  durationMs: z.number().nonnegative(),
});
export type ImplementationStatus = z.infer<typeof ImplementationStatus>;

/** What the pull request of an implementation says, as facts. */
export const PullDescription = z.object({
  issue: z.number().int().positive(),
  /** Where the fault is that the issue is about: it stays open until the fix is released there. */
  faultIn: Environment.optional(),
  requestedBy: z.string(),
  plan: Plan,
  estimate: Estimate,
  commits: z.array(WorkCommit),
  /** What was left out of the plan, and why. */
  notDone: z.array(z.string()),
  /** Fixes that the review confirmed and that are not in it, with why. */
  fixesLeft: z.array(z.object({ id: z.string(), message: z.string(), why: z.string().optional() })).optional(),
  /** Checks of others that ran the tests of the head and passed. */
  testedByCi: z.array(z.string()).optional(),
  /** Absent while nothing was run. */
  tests: TestOutcome.optional(),
  review: z
    .object({ decision: z.string(), blocking: z.number().int(), advisory: z.number().int(), rounds: z.number().int() })
    .optional(),
  costUsd: z.number().nonnegative(),
});
export type PullDescription = z.infer<typeof PullDescription>;
