export interface Turns<T> {
  readonly result: T;
  /**
   * Processor time of the main thread, in milliseconds of the machine that the limits of the tests were measured on, that other work of the
   * process had to wait for at most.
   */
  readonly longestMs: number;
}

/** What the work of `countFor` takes there. */
const CALIBRATED_MS = 12;

/** What disturbs a measurement only ever adds to it: the least of several is believed. */
const TRIES = 5;

/**
 * The longest time for which the event loop was blocked while something ran. Processor time, not the clock's: that the machine is busy
 * with other programs is not counted; and held against the same work before and after, as a processor that is shared does less in its time.
 * @param belowMs as soon as one run stays below, it is believed; without it the work is done once
 */
export async function longestTurn<T>(work: () => Promise<T>, belowMs = Number.POSITIVE_INFINITY): Promise<Turns<T>> {
  let least = await measureOnce(work);
  for (let tries = 1; tries < TRIES && least.longestMs >= belowMs; tries += 1) {
    const again = await measureOnce(work);
    if (again.longestMs < least.longestMs) least = again;
  }
  return least;
}

async function measureOnce<T>(work: () => Promise<T>): Promise<Turns<T>> {
  const slowBefore = calibrate();
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    longest = Math.max(longest, since(before));
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    const result = await work();
    look();
    return { result, longestMs: longest / Math.max(1, slowBefore, calibrate()) };
  } finally {
    clearInterval(timer);
  }
}

/** How many times slower than that machine this one is now: the best of three, as the first is compiled on the way. */
function calibrate(): number {
  return Math.min(countFor(), countFor(), countFor()) / CALIBRATED_MS;
}

function countFor(): number {
  const before = process.threadCpuUsage();
  let state = 1;
  for (let step = 0; step < 10_000_000; step += 1) state = (Math.imul(state, 48_271) + step) | 0;
  // Used, so that no compiler leaves it out.
  return since(before) + (state === 0.5 ? 1 : 0);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
