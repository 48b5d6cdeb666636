/** Below this the collector, the compiler and the grain of the kernel's account (up to 10 ms) weigh more than the work. */
const MEASURABLE_MS = 60;

/** The same work whole and in sixteen parts: as much in proportion to its size, sixteen times as much by its square. */
const PARTS = 16;
const TOO_MUCH = 6;

/** What disturbs a measurement only ever adds to it: the least of several is believed. */
const TRIES = 6;

/** Processor time of this thread in milliseconds: that the machine is busy with other programs is not counted. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether work takes less processor time than a limit. Measured several times before it is believed that it does not.
 * @param limitMs milliseconds
 */
export async function takesLessThan(limitMs: number, work: () => unknown): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) if ((await processorMs(work)) < limitMs) return true;
  return false;
}

/**
 * Whether work takes time in proportion to its size, held against sixteen times a sixteenth of it: both come to the same time where it does,
 * so that one is measured as finely as the other. Work too short to be measured is in proportion.
 * @param work does it once, for a size in whatever unit
 */
export async function growsInProportion(work: (size: number) => unknown, size: number): Promise<boolean> {
  const part = Math.ceil(size / PARTS);
  let [whole, parts] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < TRIES; tries += 1) {
    whole = Math.min(whole, await processorMs(() => work(size)));
    if (whole < MEASURABLE_MS) return true;
    parts = Math.min(
      parts,
      await processorMs(async () => {
        for (let at = 0; at < PARTS; at += 1) await work(part);
      }),
    );
    if (whole / Math.max(parts, 1) < TOO_MUCH) return true;
  }
  return false;
}
