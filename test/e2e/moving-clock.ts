import type { Clock } from "../../src/queue/ports.ts";

export interface MovingClock extends Clock {
  /** Goes forward by so many milliseconds; who waited for a moment in between is called. */
  advance(ms: number): void;
}

/** The machine's time, which a test can move forward: what Forge puts off is then due without anybody waiting for it. */
export function createMovingClock(): MovingClock {
  let ahead = 0;
  const waiting = new Set<{ readonly due: number; readonly callback: () => void; timer: NodeJS.Timeout }>();
  const time = () => Date.now() + ahead;
  return {
    now: () => new Date(time()),
    after: (ms, callback) => {
      const call = () => {
        waiting.delete(entry);
        callback();
      };
      const entry = { due: time() + ms, callback: call, timer: setTimeout(call, ms) };
      waiting.add(entry);
      return () => {
        clearTimeout(entry.timer);
        waiting.delete(entry);
      };
    },
    advance: (ms) => {
      ahead += ms;
      for (const entry of [...waiting]) {
        if (entry.due > time()) continue;
        clearTimeout(entry.timer);
        entry.callback();
      }
    },
  };
}
