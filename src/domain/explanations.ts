import { z } from "zod";
import { ModelCost } from "./model-cost.ts";

/** What of a deployment a model puts into words: where people have to decide, or to understand what the judge found. */
export const EXPLAINED = [
  /** A person can still say no to it: nothing of it is there. */
  "proposed",
  /** It goes back, or went. */
  "rolled_back",
  /** The judge could not tell, and people are asked. */
  "unclear",
  /** It ended worse than it should be. */
  "degraded",
] as const;

/** Which verdict an explanation is of: one of an earlier step says nothing of a later one. */
export const ExplainedMoment = z.object({ is: z.enum(EXPLAINED), step: z.number().int().nonnegative() });
export type ExplainedMoment = z.infer<typeof ExplainedMoment>;

/** The longest explanation and the longest word on a place, in characters, and how many places and shares it may name. */
export const EXPLANATION_LIMITS = { words: 500, place: 300, places: 5, shares: 10 } as const;

/** A verdict in the words of a model, with places of the code that it may come from (TOOLS-3). It decides nothing. */
export const Explanation = z.object({
  of: ExplainedMoment,
  words: z.string(),
  /** Looked up in the version: `line` is there. */
  places: z.array(z.object({ path: z.string(), line: z.number().int().positive(), says: z.string() })),
  /** Shares of the traffic in percent that it would rather go through: more careful than the plan, never less (`isWithinPolicy`). */
  shares: z.array(z.number()).optional(),
  cost: ModelCost,
});
export type Explanation = z.infer<typeof Explanation>;
