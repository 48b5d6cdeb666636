import { setTimeout as pause } from "node:timers/promises";
import { StoryFailed } from "./expect.ts";

const LOOK_EVERY_MS = 25;

export interface UntilOptions {
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** What makes waiting pointless; its rejection is passed on. */
  readonly unless?: Promise<never>;
  /** Called after every look in vain. */
  readonly meanwhile?: () => void;
}

/**
 * Looks again and again until `look` answers something truthy, and resolves with it.
 * @throws StoryFailed after `limitMs`, naming what did not come; an AbortError when `signal` aborts.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { signal, limitMs, unless, meanwhile }: UntilOptions,
): Promise<NonNullable<T>> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const end = performance.now() + limitMs;
  const watch = async () => {
    for (;;) {
      const seen = await look();
      if (seen) return seen;
      if (performance.now() > end)
        throw new StoryFailed(`waited ${limitMs / 1000} s and it did not come true: ${what}`);
      meanwhile?.();
      await pause(LOOK_EVERY_MS, undefined, { signal: either });
    }
  };
  try {
    return await (unless ? Promise.race([watch(), unless]) : watch());
  } finally {
    // Nobody goes on looking when the race is over.
    over.abort();
  }
}
