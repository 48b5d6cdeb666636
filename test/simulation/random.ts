/** Everything by chance in a simulated world comes from here: the same seed gives the same world, step by step. */
export interface Random {
  /** From 0 up to, not including, 1. */
  readonly next: () => number;
  readonly chance: (probability: number) => boolean;
  /** From `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  /** One of the things that can happen, as likely as its weight says; undefined where nothing can. */
  readonly weigh: <T>(choices: readonly (readonly [number, T])[]) => T | undefined;
}

/** @param seed any whole number (mulberry32) */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
    weigh: (choices) => {
      const all = choices.reduce((sum, [weight]) => sum + weight, 0);
      if (all <= 0) return undefined;
      let left = next() * all;
      for (const [weight, what] of choices) {
        left -= weight;
        if (left < 0) return what;
      }
      return choices.at(-1)![1];
    },
  };
}
