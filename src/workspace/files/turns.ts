import { setImmediate } from "node:timers/promises";

/** About 3 ms of looking at files, or 3 MB of reading them. */
const MOST = 100;
const BYTES_PER_STEP = 32 * 1024;

/**
 * Lets others have their turn after some work that blocks. A file of a folder in use is at hand in the kernel: reading it so takes 20 µs, and
 * without blocking 100 µs of the same thread and a wait for each of its four steps.
 * @returns to be awaited after each file; undefined while the turn may go on
 */
export function takeTurns(): (bytes?: number) => Promise<void> | undefined {
  let done = 0;
  return (bytes = 0) => {
    done += 1 + bytes / BYTES_PER_STEP;
    if (done < MOST) return undefined;
    done = 0;
    return setImmediate();
  };
}
