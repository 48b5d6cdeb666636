/** How much a run of tests takes on: each at every change, each before a change lands, and what takes minutes by itself. */
export const TIERS = ["quick", "full", "long"] as const;
export type Tier = (typeof TIERS)[number];

/** The name of a file says its tier: `name.test.ts` is quick, `name.full.test.ts` and `name.long.test.ts` are not. */
export function tierOf(path: string): Tier {
  const [, tier] = /\.(full|long)\.test\.ts$/.exec(path) ?? [];
  return tier === undefined ? "quick" : (tier as Tier);
}
