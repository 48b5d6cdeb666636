import type { MetricVerdict } from "../../../domain/samples.ts";

/** Beyond so many times the version before had next to none, and the number says more of that than of this one. */
const MOST_TIMES = 100;

/**
 * How much worse a version is, in words: "8.1 times", or both amounts where the version before had next to none, as "from 0 of 40,000 to 26 of
 * 1,012". Undefined where nothing is known of it.
 */
export function howMuchWorse(verdict: MetricVerdict): string | undefined {
  const { metric, canary, control, ratio, of, controlOf } = verdict;
  if (ratio === undefined) return undefined;
  const isErrors = metric === "errors";
  const hasBasis = control === undefined || (isErrors ? control * (controlOf ?? 1_000) >= 1 : control > 0);
  if (hasBasis && ratio <= MOST_TIMES) return `${inDigits(ratio)} times`;
  if (canary === undefined || control === undefined) return undefined;
  if (!isErrors) return `from ${inDigits(control)} to ${inDigits(canary)}`;
  if (of === undefined || controlOf === undefined)
    return `from ${inDigits(control * 100)} % to ${inDigits(canary * 100)} %`;
  return `from ${whole(control * controlOf)} of ${whole(controlOf)} to ${whole(canary * of)} of ${whole(of)}`;
}

/** Three digits that count. */
export function inDigits(value: number): string {
  return value.toLocaleString("en-US", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
