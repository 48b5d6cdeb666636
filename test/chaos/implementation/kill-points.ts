import type { Point } from "../points.ts";

/**
 * One name for each kind of state that a crash can leave behind. What GitHub tells of Forge's own writes comes at any moment, tokens are asked
 * for when one has expired, housekeeping is the same for every job, and what is written down before a write is seen just before that write.
 */
export function killPoints(trace: readonly Point[]): string[] {
  const names = [...new Set(trace.map(({ name }) => name))];
  return names.filter((name) => {
    if (/access_tokens|hook\/deliveries|\/labels|claimed|delivery settled|job completed|write counted/.test(name))
      return false;
    if (/answered webhook|webhook (?:installation|check_|issue_comment)|effect sending|memory/.test(name)) return false;
    if (/before (?:git|sandbox|commit: effect|commit: money)|before (?:POST|PATCH)/.test(name)) return false;
    return true;
  });
}

/**
 * Places of the story in its order, as points for one process after the other: each counts anew from its start, so an occurrence is counted
 * from the place before.
 * @param places indexes in the trace
 */
export function chainOf(trace: readonly Point[], places: readonly number[]): Point[] {
  const ordered = [...places].sort((a, b) => a - b);
  return ordered.map((place, index) => {
    const { name } = trace[place]!;
    const since = index === 0 ? 0 : ordered[index - 1]! + 1;
    const occurrence = trace.slice(since, place + 1).filter((point) => point.name === name).length;
    return { name, occurrence };
  });
}
