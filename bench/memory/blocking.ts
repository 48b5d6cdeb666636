export interface Timing {
  readonly ms: number;
  /** For how long, at most, nothing else could run meanwhile. */
  readonly blockedMs: number;
  /** The same in processor time of this thread: on a machine that is busy with other things the difference is theirs. */
  readonly blockedCpuMs: number;
  /** Processor time of the process: about what it would take on a machine with nothing else to do. */
  readonly cpuMs: number;
}

export async function timed(work: () => Promise<unknown>): Promise<Timing> {
  let blockedMs = 0;
  let blockedCpuMs = 0;
  let last = performance.now();
  let lastCpu = threadCpuMs();
  let running = true;
  const beat = () => {
    const now = performance.now();
    const cpu = threadCpuMs();
    blockedMs = Math.max(blockedMs, now - last);
    blockedCpuMs = Math.max(blockedCpuMs, cpu - lastCpu);
    last = now;
    lastCpu = cpu;
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
  return { ms, blockedMs, blockedCpuMs, cpuMs: (user + system) / 1000 };
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The shortest of several timings of the same work. */
export function leastOf(timings: readonly Timing[]): Timing {
  return {
    ms: Math.min(...timings.map(({ ms }) => ms)),
    blockedMs: Math.min(...timings.map(({ blockedMs }) => blockedMs)),
    blockedCpuMs: Math.min(...timings.map(({ blockedCpuMs }) => blockedCpuMs)),
    cpuMs: Math.min(...timings.map(({ cpuMs }) => cpuMs)),
  };
}
