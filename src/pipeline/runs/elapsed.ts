/** Milliseconds between two ISO 8601 times, never below 0: clocks of two machines differ, and one may be set back. */
export function elapsedMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** Whether one moment (ISO 8601) is before the other; where one is not known it is not. */
export function isOlder(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}
