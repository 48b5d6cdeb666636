import { setImmediate } from "node:timers/promises";

export interface TurnSize {
  /** Steps in one turn of the event loop; 100 when not given. */
  readonly most?: number;
  /** What takes as long as a step by itself: bytes read, or characters looked at; 32 KiB when not given. */
  readonly unitsOfStep?: number;
}

/**
 * Lets others have their turn after some work that blocks. As given, a turn is about 3 ms of looking at files, or 3 MB of reading them: a
 * file of a folder in use is at hand in the kernel, so that reading it takes 20 µs, and without blocking 100 µs of the same thread and a wait
 * for each of its four steps.
 * @returns to be awaited after each step; undefined while the turn may go on
 */
export function takeTurns({
  most = 100,
  unitsOfStep = 32 * 1024,
}: TurnSize = {}): (units?: number) => Promise<void> | undefined {
  let done = 0;
  return (units = 0) => {
    done += 1 + units / unitsOfStep;
    if (done < most) return undefined;
    done = 0;
    return setImmediate();
  };
}
