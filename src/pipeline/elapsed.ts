/** Milliseconds between two ISO 8601 times, never below 0: clocks of two machines differ, and one may be set back. */
export function elapsedMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}
