/** What the watchdog's thread knows about the main loop. */
export interface Stillness {
  /** How many beats of the main loop it saw at its last tick. */
  readonly beats: number;
  /** Ticks of its own since then during which the main loop did not beat. */
  readonly ticks: number;
}

/**
 * Counts one tick of the thread itself, never the time between two ticks. While a machine is suspended or a process is stopped, the thread
 * does not tick either, so the pause counts as one tick at most.
 */
export function countTick(before: Stillness, beats: number): Stillness {
  return { beats, ticks: beats === before.beats ? before.ticks + 1 : 0 };
}
