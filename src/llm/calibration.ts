import { z } from "zod";

/** How much more tokens a model counts than are estimated, by its id. A value that can be stored. */
export const Calibration = z.record(z.string(), z.number().positive());
export type Calibration = Readonly<z.infer<typeof Calibration>>;

/** What is set aside in a budget above the estimate. */
export const BUDGET_FACTOR = 1.25;

/** The weight of what was seen last: a few steps suffice, and one odd text does not turn it over. */
const WEIGHT = 0.3;
/** Short requests say little: their frame weighs more than their text. */
const ENOUGH_TOKENS = 200;
const [LOWEST, HIGHEST] = [0.3, 4];

/** Learns from one call: what was estimated for its whole input, and what the provider counted, cached tokens included. */
export function calibrate(state: Calibration, model: string, estimated: number, counted: number): Calibration {
  if (estimated < ENOUGH_TOKENS || counted <= 0) return state;
  const seen = Math.min(HIGHEST, Math.max(LOWEST, counted / estimated));
  const known = state[model];
  return { ...state, [model]: known === undefined ? seen : known + WEIGHT * (seen - known) };
}

/** Models since then cut texts into about 30 % more tokens than those the estimate was made for (the provider's pages say so). */
const FINER = /^claude-(?:[a-z]+-[5-9]|opus-4-[7-9])/;
const FINER_FACTOR = 1.3;

/** An estimate as this model would count it. */
export function calibrated(state: Calibration, model: string, estimated: number): number {
  return Math.ceil(estimated * (state[model] ?? (FINER.test(model) ? FINER_FACTOR : 1)));
}
