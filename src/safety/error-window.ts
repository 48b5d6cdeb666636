/** How far back calls are judged, in milliseconds. */
const WINDOW_MS = 5 * 60_000;
/** Calls are kept by the second, so that the window stays small however many there are. */
const SLOT_MS = 1000;

/** Calls of the last five minutes and how many failed, by the second; oldest first. A value that survives JSON. */
export type ErrorWindow = readonly {
  /** Since 1970. */
  readonly second: number;
  readonly calls: number;
  readonly failed: number;
}[];

/** The window with one more call; `now` in milliseconds since 1970. */
export function noteCall(window: ErrorWindow, failed: boolean, now: number): ErrorWindow {
  const second = Math.floor(now / SLOT_MS);
  const recent = window.filter((slot) => isRecent(slot.second, now));
  const last = recent.at(-1);
  const more = failed ? 1 : 0;
  if (last?.second !== second) return [...recent, { second, calls: 1, failed: more }];
  return [...recent.slice(0, -1), { second, calls: last.calls + 1, failed: last.failed + more }];
}

/** How many calls the last five minutes saw, and the share of them that failed (0 to 1). */
export function errorRate(window: ErrorWindow, now: number): { readonly calls: number; readonly rate: number } {
  const recent = window.filter((slot) => isRecent(slot.second, now));
  const calls = recent.reduce((sum, slot) => sum + slot.calls, 0);
  const failed = recent.reduce((sum, slot) => sum + slot.failed, 0);
  return { calls, rate: calls === 0 ? 0 : failed / calls };
}

function isRecent(second: number, now: number): boolean {
  return second * SLOT_MS > now - WINDOW_MS;
}
