/** The same work once whole and in this many parts: equal where its cost is in proportion to its size, this many times apart by its square. */
const PARTS = 16;

/** Below this the collector, the compiler and the resolution of the kernel's account (up to 10 ms) weigh more than the work. */
const MEASURABLE_MS = 60;

/** A disturbance only adds to a measurement, so the smallest of several counts. */
const TRIES = 6;

/** Time that a fixed piece of work takes on the machine that the limits were set on, in milliseconds. */
const CALIBRATED_MS = 12;

/**
 * Processor time of this thread in milliseconds; other programs on the machine do not count. A reader that remembers its last text reads a
 * short one first, outside of what is measured.
 */
async function processorMs(work: (size: number) => unknown, size: number): Promise<number> {
  await work(1);
  const before = process.threadCpuUsage();
  await work(size);
  return since(before);
}

/**
 * How much longer work takes in one piece than in `parts` pieces: about 1 where it grows in proportion to its size, about `parts` where it
 * grows by the square. Work too short to measure counts as 1.
 * @param work does it once for a size in whatever unit
 * @param limit a smaller ratio ends the measurement at once
 */
export async function growth(
  work: (size: number) => unknown,
  size: number,
  limit: number,
  parts = PARTS,
): Promise<number> {
  const part = Math.ceil(size / parts);
  let [whole, divided] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < TRIES; tries += 1) {
    whole = Math.min(whole, await processorMs(work, size));
    if (whole < MEASURABLE_MS) return 1;
    let sum = 0;
    for (let at = 0; at < parts; at += 1) sum += await processorMs(work, part);
    divided = Math.min(divided, sum);
    if (whole / Math.max(divided, 1) < limit) break;
  }
  return whole / Math.max(divided, 1);
}

/**
 * The longest time for which the work held the event loop, in milliseconds of processor time of the machine that the limits were set on: the
 * same fixed work is measured before and after, as a shared processor does less in its time.
 * @param forget the same at a small size, before each try: a reader that remembers its last text would not read it again
 * @param limitMs a smaller value ends the measurement at once
 */
export async function longestTurn(work: () => unknown, forget: () => unknown, limitMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least >= limitMs; tries += 1) {
    await forget();
    least = Math.min(least, await turnOnce(work));
  }
  return least;
}

async function turnOnce(work: () => unknown): Promise<number> {
  const slowBefore = calibrate();
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    longest = Math.max(longest, since(before));
    before = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return longest / Math.max(1, slowBefore, calibrate());
}

/** How many times slower this machine is now: the best of three, as the first one is compiled on the way. */
function calibrate(): number {
  return Math.min(countFor(), countFor(), countFor()) / CALIBRATED_MS;
}

function countFor(): number {
  const before = process.threadCpuUsage();
  let state = 1;
  for (let step = 0; step < 10_000_000; step += 1) state = (Math.imul(state, 48_271) + step) | 0;
  // Used, or the compiler leaves it out.
  return since(before) + (state === 0.5 ? 1 : 0);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
