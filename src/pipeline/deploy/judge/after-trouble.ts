import type { Bar, Judged, Look } from "./looks.ts";

/** So many looks as good as the version before say that what came before them is over. */
const CALM_LOOKS = 10;

/**
 * The word on a metric that only the time before is there to compare with, where trouble came and went: the version stayed and the trouble did
 * not. Only of a version that was seen next to another in an earlier step. The latest looks alone have to be fine, and what came before them has
 * to be worse by far, so that a version that is steadily worse gets no second chance by luck.
 * @param judged the word on all looks
 */
export function afterTrouble(
  looks: readonly Look[],
  judged: Judged,
  { first, settings }: Bar,
  judgeOf: (looks: readonly Look[]) => Judged,
): Judged {
  if (first || judged.is === "fine" || looks.length <= CALM_LOOKS) return judged;
  const calm = judgeOf(looks.slice(-CALM_LOOKS));
  if (calm.is !== "fine" || calm.ratio === undefined || calm.ratio >= settings.degraded) return judged;
  const { ratio = 0 } = judgeOf(looks.slice(0, -CALM_LOOKS));
  if (ratio < settings.rollback * Math.max(1, calm.ratio)) return judged;
  return { ...calm, why: `${calm.why} in the last ${CALM_LOOKS} looks` };
}
