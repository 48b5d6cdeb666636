import { setTimeout as pause } from "node:timers/promises";
import { StoryFailed } from "./expect.ts";

const LOOK_EVERY_MS = 25;

export interface UntilOptions {
  readonly signal: AbortSignal;
  readonly limitMs: number;
  /** Called before every look. */
  readonly meanwhile?: (elapsedMs: number) => void;
}

/**
 * Looks again and again until `look` answers something truthy, and resolves with it.
 * @throws StoryFailed after `limitMs`, naming what did not come; an AbortError when `signal` aborts.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  { signal, limitMs, meanwhile }: UntilOptions,
): Promise<NonNullable<T>> {
  const start = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    const elapsed = performance.now() - start;
    if (elapsed > limitMs) throw new StoryFailed(`waited ${limitMs / 1000} s and it did not come true: ${what}`);
    meanwhile?.(elapsed);
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
}
