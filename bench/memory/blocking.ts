export interface Timing {
  readonly ms: number;
  /** For how long, at most, nothing else could run meanwhile. */
  readonly blockedMs: number;
  /** Processor time of the process: about what it would take on a machine with nothing else to do. */
  readonly cpuMs: number;
}

export async function timed(work: () => Promise<unknown>): Promise<Timing> {
  let blockedMs = 0;
  let last = performance.now();
  let running = true;
  const beat = () => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last);
    last = now;
    if (running) setImmediate(beat);
  };
  setImmediate(beat);
  const began = performance.now();
  const before = process.cpuUsage();
  await work();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  running = false;
  beat();
  return { ms, blockedMs, cpuMs: (user + system) / 1000 };
}

/** The shortest of several timings of the same work. */
export function leastOf(timings: readonly Timing[]): Timing {
  return {
    ms: Math.min(...timings.map(({ ms }) => ms)),
    blockedMs: Math.min(...timings.map(({ blockedMs }) => blockedMs)),
    cpuMs: Math.min(...timings.map(({ cpuMs }) => cpuMs)),
  };
}
