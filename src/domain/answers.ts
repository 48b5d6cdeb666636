import { z } from "zod";
import { RunLimit } from "./command-arguments.ts";
import { FindingCounts, PauseScope } from "./event-catalogue.ts";
import { Dismissal, Finding, FindingState } from "./findings.ts";
import { FixLeftOut } from "./fixes.ts";
import { ImplementationStatus } from "./implementation-status.ts";
import { Conclusion, Phase, RunKind } from "./phases.ts";
import { Refusal } from "./refusals.ts";
import { ModelCost } from "./review-report.ts";
import { TestOutcome } from "./test-report.ts";

/** One setting of a repository with where its value comes from. */
export const Setting = z.object({
  /** `review.max_comments`. */
  name: z.string(),
  /** As YAML would write it. */
  value: z.string(),
  from: z.enum(["default", "organisation", "repository"]),
});
export type Setting = z.infer<typeof Setting>;

/** Files of instructions on the default branch, and why some are left out, in words that follow the path (GH-15a). */
export const InstructionFacts = z.object({
  found: z.array(z.string()),
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** There may be more. */
  truncated: z.boolean(),
});
export type InstructionFacts = z.infer<typeof InstructionFacts>;

/** The configuration in force, and what is wrong with the files that should give it, each in one sentence. */
export const ConfigurationFacts = z.object({
  settings: z.array(Setting),
  problems: z.array(z.string()),
  instructions: InstructionFacts.optional(),
});
export type ConfigurationFacts = z.infer<typeof ConfigurationFacts>;

/** Something that happened to a finding. */
export const FindingMoment = z.object({
  what: z.enum(["detected", "resolved", "regressed", "dismissed", "undismissed"]),
  at: z.string(),
  /** Head on which it was seen to be so. */
  headSha: z.string().optional(),
  /** Login of who caused it. */
  by: z.string().optional(),
});
export type FindingMoment = z.infer<typeof FindingMoment>;

export const Pause = z.object({ scope: PauseScope, by: z.string(), at: z.string() });
export type Pause = z.infer<typeof Pause>;

/** What is going on at a pull request. */
export const StatusFacts = z.object({
  headSha: z.string(),
  /** The run at work, if any. */
  active: z.object({ headSha: z.string(), status: z.enum(["pending", "running"]), since: z.string() }).optional(),
  /** What the run at work waits for a person with. */
  gates: z.array(z.object({ gate: z.string(), deadline: z.string() })).optional(),
  /** The latest run that ended. */
  last: z
    .object({ headSha: z.string(), conclusion: Conclusion.optional(), at: z.string(), runId: z.string() })
    .optional(),
  /** The review that somebody stopped and nobody resumed. */
  stopped: z.object({ headSha: z.string(), by: z.string(), at: z.string() }).optional(),
  open: FindingCounts,
  blocking: z.number().int(),
  dismissed: z.number().int(),
  fixed: z.number().int(),
  pauses: z.array(Pause),
  override: z.object({ by: z.string(), reason: z.string() }).optional(),
  runs: z.object({
    hour: z.number().int(),
    perHour: z.number().int(),
    day: z.number().int(),
    perDay: z.number().int(),
  }),
  /** The latest first. */
  refusals: z.array(z.object({ login: z.string(), refusal: Refusal })),
});
export type StatusFacts = z.infer<typeof StatusFacts>;

/** What the models of a pull request cost, oldest run first, and how much of each limit is used; all in USD. */
export const CostFacts = z.object({
  spent: z.array(
    z.object({
      runId: z.string(),
      phase: z.string(),
      model: z.string(),
      usd: z.number().nonnegative(),
      tokens: z.number().int().nonnegative(),
      /** Of the input tokens, read from the provider's cache; 0 to 1. */
      cachedShare: z.number().min(0).max(1),
    }),
  ),
  /** `phase`: of the newest run. `repository` and `day` (all repositories of this Forge): since midnight UTC. */
  limits: z.array(
    z.object({
      scope: z.enum(["phase", "subject", "repository", "installation", "day"]),
      usedUsd: z.number().nonnegative(),
      limitUsd: z.number().nonnegative(),
    }),
  ),
});
export type CostFacts = z.infer<typeof CostFacts>;

/** The latest runs of a subject, newest first. */
export const HistoryFacts = z.object({
  runs: z.array(
    z.object({
      runId: z.string(),
      kind: RunKind,
      startedAt: z.string(),
      endedAt: z.string().optional(),
      status: z.string(),
      headSha: z.string(),
      costUsd: z.number().nonnegative(),
    }),
  ),
  /** Runs beside these. */
  more: z.number().int().nonnegative(),
});
export type HistoryFacts = z.infer<typeof HistoryFacts>;

/** What an answer in the conversation says, as facts; `github/words` turns them into sentences. */
export const Answer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("refused"), login: z.string(), refusal: Refusal }),
  z.object({ kind: z.literal("help"), topic: z.string().optional() }),
  /** To a reply in plain words. */
  z.object({ kind: z.literal("dismissed"), findingId: z.string(), login: z.string() }),
  z.object({
    kind: z.literal("explained"),
    finding: Finding,
    state: FindingState,
    headSha: z.string(),
    dismissal: Dismissal.optional(),
    /** The analyser that reported it, as far as the last review tells. */
    tool: z.object({ name: z.string(), version: z.string() }).optional(),
    history: z.array(FindingMoment),
  }),
  z.object({ kind: z.literal("status"), status: StatusFacts }),
  /** Why the trust that was given starts no review. */
  z.object({ kind: z.literal("trusted"), because: z.enum(["not_waiting", "at_work", "paused", "limit", "closed"]) }),
  z.object({ kind: z.literal("cost"), cost: CostFacts }),
  /** `total` is the limit as it is now. `at_work`: the review may have read the old one before. */
  z.object({
    kind: z.literal("extended"),
    limit: RunLimit,
    total: z.number(),
    run: z.enum(["resumed", "stopped", "at_work", "ended"]),
  }),
  /** By a model, of the code on `headSha`; `by` is the login of who asked. */
  z.object({ kind: z.literal("asked"), by: z.string(), headSha: z.string(), answer: z.string(), cost: ModelCost }),
  /** To a reply in the thread of a finding, by a model; `by` is a login. */
  z.object({
    kind: z.literal("replied"),
    findingId: z.string(),
    by: z.string(),
    /** `kept`: the model would withdraw it, but a word does not undo what a program or a test showed, or what `by` may not dismiss. */
    outcome: z.enum(["withdrawn", "stands", "kept"]),
    answer: z.string(),
    cost: ModelCost,
  }),
  /** To `retry` with a checkpoint: the phase that goes on, and what was done since and stays. */
  z.object({ kind: z.literal("restored"), version: z.number().int(), phase: Phase, lasting: z.array(z.string()) }),
  /** To `/forge fix`: what is in the commit `headSha`, of which there is none where nothing could be applied. */
  z.object({
    kind: z.literal("fixed"),
    headSha: z.string().optional(),
    applied: z.array(z.string()),
    left: z.array(FixLeftOut),
  }),
  /** To `/forge test` on a pull request of people. */
  z.object({ kind: z.literal("tested"), outcome: TestOutcome }),
  z.object({ kind: z.literal("history"), history: HistoryFacts }),
  /** On an issue; without a status no work was ever begun here. */
  z.object({ kind: z.literal("implementation_status"), status: ImplementationStatus.optional() }),
  /** In the thread of a person's review comment, or to their review as a whole: what the implementer did about it. */
  z.object({
    kind: z.literal("worked_on"),
    answers: z.array(z.object({ asked: z.string().optional(), done: z.boolean(), answer: z.string() })),
    headSha: z.string(),
    /** Whether the commits changed anything. */
    changed: z.boolean(),
  }),
  z.object({ kind: z.literal("configuration"), configuration: ConfigurationFacts }),
]);
export type Answer = z.infer<typeof Answer>;
