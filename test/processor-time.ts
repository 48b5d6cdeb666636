/** Below this the collector and the compiler weigh more than the work. */
const MEASURABLE_MS = 25;

/** Eight times the work: 8 in proportion to it, 64 by its square. */
const MORE = 8;
const TOO_MUCH = 3 * MORE;

/** Processor time of this thread in milliseconds: that the machine is busy with other programs is not counted. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether work takes time in proportion to its size, held against an eighth of the same work. Measured three times before it is believed that
 * it does not.
 * @param work does it once, for a size in whatever unit
 */
export async function growsInProportion(work: (size: number) => unknown, size: number): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) {
    const large = await processorMs(() => work(size));
    if (large < MEASURABLE_MS) return true;
    const small = await processorMs(() => work(Math.ceil(size / MORE)));
    if (large / Math.max(small, 0.5) < TOO_MUCH) return true;
  }
  return false;
}
