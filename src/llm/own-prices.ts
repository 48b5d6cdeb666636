import { z } from "zod";
import type { Price } from "./ports.ts";

const rate = z.number().min(0).max(10_000);
const Rates = z.strictObject({
  input: rate,
  output: rate,
  /** As dear as input when it is not said: never cheaper than it may be. */
  cacheRead: rate.optional(),
  cacheWrite: rate.optional(),
});

/** Prices that the operator knows better, in USD per million tokens, by the model's exact id (`FORGE_PRICES`). */
export const OwnPrices = z.record(z.string().min(1), Rates);
export type OwnPrices = Readonly<z.infer<typeof OwnPrices>>;

export function fromOwnPrice({ input, output, cacheRead, cacheWrite }: OwnPrices[string]): Price {
  return { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input, assumed: false };
}

/**
 * The models that Forge uses when nothing is said, where the price list that comes along does not have them yet. From
 * https://platform.claude.com/docs/en/models, November 2026.
 */
export const DEFAULT_MODEL_PRICES: Readonly<Record<string, Price>> = {
  "claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, assumed: false },
  "claude-haiku-5-5": {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    assumed: false,
    long: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
  },
};
