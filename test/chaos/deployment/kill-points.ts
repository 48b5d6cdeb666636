import type { Point } from "../points.ts";

/**
 * One name for each kind of state that a crash of a deployment can leave behind. Reviews have their own story; what GitHub tells of Forge's own
 * writes comes at any moment, tokens are asked for when one has expired, and housekeeping is the same for every job.
 */
export function deployPoints(trace: readonly Point[]): string[] {
  const names = [...new Set(trace.map(({ name }) => name))];
  return names.filter((name) => !ELSEWHERE.test(name) && !HOUSEKEEPING.test(name));
}

const ELSEWHERE =
  /claimed review|webhook\.received|risk\.assessed|check\.|events phase\.entered$|subject\.closed|metric\.|run\.outcome|claimed learn/;
const HOUSEKEEPING =
  /access_tokens|hook\/deliveries|delivery settled|claimed delivery|job completed|write counted|answered webhook|webhook (?:check_|installation|issues|issue_comment)|effect sending|\/query|before git/;
