import { z } from "zod";
import { MemoryOrigin } from "./memories.ts";
import { RunKind } from "./phases.ts";

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
  what: z.enum(["detected", "resolved", "outdated", "regressed", "dismissed", "undismissed"]),
  at: z.string(),
  /** Head on which it was seen to be so. */
  headSha: z.string().optional(),
  /** Login of who caused it. */
  by: z.string().optional(),
});
export type FindingMoment = z.infer<typeof FindingMoment>;

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

/** What is known in a repository, what is believed most or bears on a question first. */
export const MemoriesFacts = z.object({
  query: z.string().optional(),
  items: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      /** Login of who taught it; absent of what a model concluded or production showed. */
      by: z.string().optional(),
      origin: MemoryOrigin,
      at: z.string(),
      /** Today's. */
      confidence: z.number().min(0).max(1),
      /** The code that it rests on, with whether that is on the default branch now. */
      cites: z.array(z.object({ path: z.string(), is: z.enum(["holds", "changed", "gone", "unread"]) })),
      expiresAt: z.string().optional(),
      expired: z.boolean().optional(),
      archived: z.boolean().optional(),
      /** Ids of those that say otherwise. */
      contradicts: z.array(z.string()),
    }),
  ),
  /** Memories beside these. */
  more: z.number().int().nonnegative(),
});
export type MemoriesFacts = z.infer<typeof MemoriesFacts>;
