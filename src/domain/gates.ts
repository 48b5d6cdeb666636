import { z } from "zod";
import { DeployQuestion } from "./deployments.ts";
import { BounceCause } from "./implementation.ts";
import { Phase } from "./phases.ts";
import { RiskLevel } from "./risk.ts";
import { Role } from "./subjects.ts";

/** Short, typeable and unique on a subject (VOICE): `G-1`. */
export const GateId = z.string().regex(/^G-[1-9]\d*$/);

/** What a run waits for a person with (SAFE-3, LOOP-15). */
export const GateQuestion = z.discriminatedUnion("type", [
  /**
   * One call of a tool by an agent. `input` is for people: JSON, redacted, cut where it is not all `inputCharacters` long; `callHash`
   * stands for the whole call.
   */
  z.object({
    type: z.literal("tool_call"),
    agentId: z.string(),
    /** Of the agent, counted from 1: ids of calls are the model's, and need not differ from one reply to the next. */
    step: z.number().int().positive(),
    callId: z.string(),
    tool: z.string(),
    input: z.string(),
    inputCharacters: z.number().int().nonnegative(),
    callHash: z.string().length(64),
    /** Why a person is asked, one sentence. */
    reason: z.string(),
  }),
  /** Most of a budget is spent and the work is not done; amounts in USD. */
  z.object({
    type: z.literal("cost_overrun"),
    /** Whose budget: `phase:planning`, `run`, `subject`, `repository`, `installation` or `day`; absent in what was asked before it was said. */
    budget: z.string().optional(),
    usedUsd: z.number().nonnegative(),
    limitUsd: z.number().nonnegative(),
    /** What an agent was about to do, in words that follow "next: ". */
    next: z.string(),
  }),
  /** A plan of high or critical risk, or of more money than this repository spends without being asked (PLAN-1); `revision` counts from 1. */
  z.object({
    type: z.literal("architecture_approval"),
    revision: z.number().int().positive(),
    risk: RiskLevel,
    reasons: z.array(z.string()),
    highUsd: z.number().nonnegative(),
  }),
  /** An agent cannot go on without a fact that only people know. */
  z.object({ type: z.literal("question"), agentId: z.string(), question: z.string(), phase: Phase }),
  /** The review of the work found what a person has to judge: a critical security finding, or a risk that is high (REV-3a). */
  z.object({
    type: z.enum(["security_finding", "high_risk_change"]),
    risk: RiskLevel.optional(),
    reasons: z.array(z.string()),
    treeSha: z.string(),
    pull: z.number().int().positive(),
  }),
  /** Tests fail, or could not be run, and nothing says how to mend that; `tried` is what was done about it so far (PIPE-5). */
  z.object({
    type: z.literal("test_failure"),
    /** Nothing failed: they could not be run. */
    notRun: z.boolean().optional(),
    reasons: z.array(z.string()),
    tried: z.array(z.string()),
    treeSha: z.string(),
    pull: z.number().int().positive(),
  }),
  /** Feedback came back more often than the pipeline lets it (PIPE-5). */
  z.object({
    type: z.literal("bounces_used"),
    cause: BounceCause,
    limit: z.number().int().nonnegative(),
    reasons: z.array(z.string()),
    tried: z.array(z.string()),
    pull: z.number().int().positive().optional(),
  }),
  /** A version waits to be deployed where users are; bound to its commit and its steps. */
  DeployQuestion,
]);
export type GateQuestion = z.infer<typeof GateQuestion>;

/** Hours that people have for an answer to a question of one kind. As shipped every gate fails closed. */
const hours = (usual: number) =>
  z.number().min(0.1).max(720).default(usual).describe("Hours that people have for an answer.");

/** A question without whose answer nothing goes on, and that silence never says yes to. */
const needed = (of: string, usual: number, note = "") =>
  z
    .strictObject({
      hours: hours(usual),
      on_timeout: z
        .enum(["park", "reject"])
        .default("park")
        .describe(`What follows without an answer: the work waits for \`/forge retry\`, or ends.${note}`),
    })
    .prefault({})
    .describe(of);

/** What a repository sets for each kind of question. */
export const GateSettings = z.strictObject({
  architecture_approval: z
    .strictObject({
      hours: hours(24),
      on_timeout: z
        .enum(["park", "reject", "approve"])
        .default("park")
        .describe(
          "What follows without an answer: the work waits for `/forge retry`, ends, or goes on. A plan of high or critical risk never goes on.",
        ),
    })
    .prefault({})
    .describe("A plan that needs a yes."),
  cost_overrun: z
    .strictObject({
      hours: hours(2),
      on_timeout: z
        .enum(["park", "reject", "approve"])
        .default("park")
        .describe(
          "What follows without an answer: the work waits for `/forge retry`, ends, or goes on to its limit. A review ends with what it has, unless it goes on.",
        ),
    })
    .prefault({})
    .describe("Most of a budget is spent."),
  tool_call: z
    .strictObject({
      hours: hours(24),
      on_timeout: z
        .enum(["park", "reject"])
        .default("park")
        .describe(
          "What follows without an answer: the work waits for `/forge retry`, or goes on without the call, as a review always does.",
        ),
    })
    .prefault({})
    .describe("A call of a tool that needs a yes."),
  question: needed("Something that only people know.", 168),
  security_finding: needed("A critical security finding in Forge's own work.", 12),
  high_risk_change: needed("Work of Forge whose risk is high.", 24),
  test_failure: needed("Tests of Forge's own work fail, or cannot be run.", 24),
  bounces_used: z
    .strictObject({
      hours: hours(24),
      on_timeout: z
        .enum(["park", "reject", "approve"])
        .default("park")
        .describe(
          "What follows without an answer: the work waits for `/forge retry`, ends, or has one more round within its limits.",
        ),
    })
    .prefault({})
    .describe("Work came back more often than it may (`max_bounces`)."),
  production_deploy: z
    .strictObject({ hours: hours(1) })
    .prefault({})
    .describe("A version that is to be deployed. Without an answer in time it is not; `/forge deploy` asks again."),
});

/** A question as it was put: on which head, until when (ISO 8601), and who may answer. */
export const GateRequest = z.object({
  gate: GateId,
  question: GateQuestion,
  headSha: z.string(),
  deadline: z.string(),
  needs: Role,
  /** What follows without an answer in time, where that is not that the work stands still. */
  unanswered: z.enum(["reject", "approve"]).optional(),
});
export type GateRequest = z.infer<typeof GateRequest>;

/** How a gate stands. `by` is a login; `note` what they said with it. A gate that is not answered in time counts as rejected. */
export const GateStanding = z.discriminatedUnion("is", [
  z.object({ is: z.literal("open") }),
  z.object({ is: z.literal("approved"), by: z.string(), at: z.string(), note: z.string().optional() }),
  z.object({ is: z.literal("rejected"), by: z.string(), at: z.string(), note: z.string().optional() }),
  z.object({ is: z.literal("timed_out"), at: z.string() }),
  /** It cannot be answered any more: the run went on or ended without it; `byHead` is the head that took its place. */
  z.object({ is: z.literal("voided"), at: z.string(), byHead: z.string().optional() }),
]);
export type GateStanding = z.infer<typeof GateStanding>;

export const Gate = GateRequest.extend({ runId: z.string(), standing: GateStanding });
export type Gate = z.infer<typeof Gate>;

export function isOpenGate({ standing }: Gate): boolean {
  return standing.is === "open";
}
