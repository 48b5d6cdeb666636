import type { Clock } from "../../src/queue/ports.ts";

/** A clock that stands until it is moved; timers go off in order while it moves. */
export function manualClock(start = Date.UTC(2026, 10, 20, 10)): Clock & {
  readonly iso: (seconds?: number) => string;
  readonly advance: (seconds: number) => Promise<void>;
  readonly timers: () => number;
} {
  let now = start;
  const timers = new Set<{ due: number; callback: () => void }>();
  return {
    now: () => new Date(now),
    after: (ms, callback) => {
      const timer = { due: now + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    iso: (seconds = 0) => new Date(start + seconds * 1000).toISOString(),
    timers: () => timers.size,
    advance: async (seconds) => {
      const end = now + seconds * 1000;
      for (;;) {
        await turns();
        const next = [...timers].sort((a, b) => a.due - b.due)[0];
        if (!next || next.due > end) break;
        timers.delete(next);
        now = Math.max(now, next.due);
        next.callback();
      }
      now = end;
      await turns();
    },
  };
}

/** Lets everything that needs no more time come to rest: some turns of the event loop, in which statements and commits run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits, by turns of the event loop, until something is so. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn += 1) {
    if (turn > 20_000) throw new Error("it never came to be");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
