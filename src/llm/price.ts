import type { ModelPrice } from "@pydantic/genai-prices";
import { z } from "zod";
import { defined } from "../domain/defined.ts";
import type { Price, Rates, Usage } from "./ports.ts";

/** The price of a model at a provider; an unknown price is never zero. */
export type PriceOf = (provider: string, model: string) => Price;

/** As dear as the dearest model that agents are commonly run on: a budget that assumes it holds for the others too. */
export const ASSUMED_PRICE: Price = { input: 15, output: 75, cacheRead: 15, cacheWrite: 30, assumed: true };

/** Prices by the exact id of a model: the operator's own, then Forge's, then those of the price list, then a pessimistic ceiling. */
export async function openPrices(own: OwnPrices): Promise<PriceOf> {
  // Half a megabyte of prices: loaded where something is paid.
  const list = await import("@pydantic/genai-prices");
  const listed = (provider: string, model: string): Price | undefined => {
    const found = list.calcPrice({ input_tokens: 1 }, model, { providerId: provider });
    // The list matches by beginnings, and prices a model that it does not know as the one before.
    return found && isSameModel(model, found.model.id) ? fromList(found.model_price) : undefined;
  };
  return (provider, model) => {
    const mine = own[model];
    if (mine) return fromOwnPrice(mine);
    return DEFAULT_MODEL_PRICES[undated(model)] ?? listed(provider, model) ?? ASSUMED_PRICE;
  };
}

/** USD for what a call used. */
export function costOf(usage: Usage, price: Price): number {
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const rates = ratesFor(price, input);
  const perMillion =
    usage.inputTokens * rates.input +
    usage.cacheReadTokens * rates.cacheRead +
    usage.cacheWriteTokens * rates.cacheWrite +
    usage.outputTokens * rates.output;
  return perMillion / 1e6;
}

/** USD that a call may cost at most: nothing found in the cache, everything written to it, the output limit used up (SAFE-2). */
export function ceilingOf(call: { readonly inputTokens: number; readonly outputTokens: number }, price: Price): number {
  const rates = ratesFor(price, call.inputTokens);
  return (call.inputTokens * Math.max(rates.input, rates.cacheWrite) + call.outputTokens * rates.output) / 1e6;
}

function ratesFor(price: Price, inputTokens: number): Rates {
  return price.long && inputTokens > price.long.above ? price.long : price;
}

function isSameModel(asked: string, listed: string): boolean {
  return asked === listed || undated(asked) === listed;
}

/** Providers put the day of a version behind the name: `-20251001`, `-2025-10-01` or `@20251001`. */
function undated(model: string): string {
  return model.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/, "");
}

function fromList(listed: ModelPrice): Price | undefined {
  const input = tiers(listed.input_mtok);
  const output = tiers(listed.output_mtok);
  if (!input || !output) return undefined;
  const cacheRead = tiers(listed.cache_read_mtok) ?? input;
  const cacheWrite = tiers(listed.cache_write_mtok) ?? input;
  const base = { input: input.base, output: output.base, cacheRead: cacheRead.base, cacheWrite: cacheWrite.base };
  const above = input.above ?? output.above;
  if (above === undefined) return { ...base, assumed: false };
  const long = {
    above,
    input: input.long,
    output: output.long,
    cacheRead: cacheRead.long,
    cacheWrite: cacheWrite.long,
  };
  return { ...base, assumed: false, long };
}

/** Of several tiers the dearest stands for all that are reached with a long input. */
function tiers(rate: ModelPrice[string]): { base: number; long: number; above?: number } | undefined {
  if (rate === undefined) return undefined;
  if (typeof rate === "number") return { base: rate, long: rate };
  const [first] = rate.tiers;
  const long = Math.max(rate.base, ...rate.tiers.map(({ price }) => price));
  return { base: rate.base, long, ...defined({ above: first?.start }) };
}

const rate = z.number().min(0).max(10_000);
const OwnRates = z.strictObject({
  input: rate,
  output: rate,
  /** As dear as input when it is not said: never cheaper than it may be. */
  cacheRead: rate.optional(),
  cacheWrite: rate.optional(),
});

/** Prices that the operator knows better, in USD per million tokens, by the model's exact id (`FORGE_PRICES`). */
export const OwnPrices = z.record(z.string().min(1), OwnRates);
export type OwnPrices = Readonly<z.infer<typeof OwnPrices>>;

function fromOwnPrice({ input, output, cacheRead, cacheWrite }: OwnPrices[string]): Price {
  return { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input, assumed: false };
}

/**
 * The models that Forge uses when nothing is said, where the price list that comes along does not have them yet. From
 * https://platform.claude.com/docs/en/models, November 2026.
 */
const DEFAULT_MODEL_PRICES: Readonly<Record<string, Price>> = {
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
