/** Runs something and gives what it took and for how long, at most, nothing else could run meanwhile; both in ms. */
export async function timed(
  work: () => Promise<unknown>,
): Promise<{ readonly ms: number; readonly blockedMs: number }> {
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
