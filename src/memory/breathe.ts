/** How long one piece of work may hold the event loop before others get their turn. */
const PIECE_MS = 5;

/** Resolves at once while the piece under way is short; otherwise after everything else that waits has had its turn. */
export type Breathe = () => Promise<void>;

export function createBreathing(now: () => number = () => performance.now()): Breathe {
  let began = now();
  return async () => {
    if (now() - began < PIECE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = now();
  };
}
