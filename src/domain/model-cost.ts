import { z } from "zod";

/** What models cost: those of a review, a question or an explanation. */
export const ModelCost = z.object({
  usd: z.number().nonnegative(),
  tokens: z.number().int().nonnegative(),
  /** Of the input tokens, read from the provider's cache; 0 to 1. */
  cachedShare: z.number().min(0).max(1),
  calls: z.number().int().nonnegative(),
  models: z.array(z.string()),
});
export type ModelCost = z.infer<typeof ModelCost>;
