export interface Timing {
  readonly ms: number;
  /** For how long, at most, nothing else could run meanwhile. */
  readonly blockedMs: number;
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
  await work();
  const ms = performance.now() - began;
  running = false;
  beat();
  return { ms, blockedMs };
}

/** The shortest of several timings of the same work. */
export function leastOf(timings: readonly Timing[]): Timing {
  return {
    ms: Math.min(...timings.map(({ ms }) => ms)),
    blockedMs: Math.min(...timings.map(({ blockedMs }) => blockedMs)),
  };
}
