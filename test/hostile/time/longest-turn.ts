export interface Turns<T> {
  readonly result: T;
  /** Processor time of the main thread, in milliseconds, that other work of the process had to wait for at most. */
  readonly longestMs: number;
}

/**
 * The longest time for which the event loop was blocked while something ran. Processor time, not the clock's: that the machine is busy
 * with other programs is not counted.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<Turns<T>> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const used = process.threadCpuUsage(before);
    longest = Math.max(longest, used.user + used.system);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    const result = await work();
    look();
    return { result, longestMs: longest / 1000 };
  } finally {
    clearInterval(timer);
  }
}
