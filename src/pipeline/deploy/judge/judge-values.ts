import type { MetricVerdict } from "../../../domain/samples.ts";
import { evidenceOfChange, splitLogRatio } from "../../../safety/sequential-evidence.ts";
import { compareTwoSamples, type Difference } from "../../../safety/two-samples.ts";
import { type Bar, cannotTell, chanceOf, type Judged, type Look, unknown, word } from "./looks.ts";

/** So many values of each side make a comparison: with five against five, all apart, the chance is 1 in 126. */
const VALUES = 5;
/** Chance below which two series differ: that of Kayenta's interval of 98 %, on the bad side. */
const DIFFERENT = 0.01;

export interface Limits {
  /** From so many times on a difference counts. */
  readonly worse: number;
  /** What has to be ruled out before a series is called fine. */
  readonly ruledOut: number;
}

/** What two series of values say of each other. */
export interface ComparedSeries extends Pick<MetricVerdict, "is" | "why"> {
  readonly difference: Difference | undefined;
  /** How many times worse; as if the other had no more than its scatter, where its mean is zero. */
  readonly ratio: number | undefined;
}

/** Compares the values of a version with those of another, in the bad direction. Pure, and the same for the same values. */
export function compareSeries(
  canary: readonly number[],
  control: readonly number[],
  bad: "up" | "down",
  limits: Limits,
): ComparedSeries {
  if (canary.length === 0 || control.length === 0)
    return { is: "cannot_tell", why: "has no data", difference: undefined, ratio: undefined };
  const difference = compareTwoSamples(canary, control);
  const [ours, theirs] = difference.means;
  const ratio = bad === "up" ? timesOf(ours, theirs) : timesOf(theirs, ours);
  const chance = bad === "up" ? difference.chanceOfHigher : difference.chanceOfLower;
  const told = (is: ComparedSeries["is"], why: string) => ({ is, why, difference, ratio });
  if (canary.length < VALUES || control.length < VALUES) return told("cannot_tell", "has too few values");
  if (chance <= DIFFERENT && ratio >= limits.worse) return told("worse", bad === "up" ? "is higher" : "is lower");
  // Each side's own scatter says how far its mean may lie off (Welch); 0.84 for 1 in 5, as of errors.
  const [high, low] = bad === "up" ? [canary, control] : [control, canary];
  const times = Math.max(limits.ruledOut, limits.worse);
  const margin = times * mean(low) - mean(high);
  const error = Math.sqrt(variance(high) / high.length + (times ** 2 * variance(low)) / low.length);
  const isSame = ours === theirs && error === 0;
  if (isSame || (margin > 0 && margin >= 0.84 * error))
    return told("fine", bad === "up" ? "is not higher" : "is not lower");
  return told("cannot_tell", "scatters too much to tell");
}

/** Judges saturation and own queries: each look's values against those beside it, in portions that are large enough. */
export function judgeValues(looks: readonly Look[], bar: Bar): Judged {
  const newest = looks.at(-1)!;
  const { measured } = newest;
  const known = unknown(newest);
  if (known) return known;
  if (measured.baseline === "none") return cannotTell(measured, "has nothing to be compared with");
  const { settings } = bar;
  const { bad } = measured;
  const portions = portionsOf(looks);
  if (portions.length === 0) return cannotTell(measured, "has too few values", { thin: true });
  const limits = { worse: settings.degraded, ruledOut: settings.rollback };
  const compared = portions.map(([canary, control]) => compareSeries(canary, control, bad, limits));
  // A chance p as a bet: 1 / (2 √p) grows by no factor on average where nothing differs.
  const bets = compared.map(({ difference }) => {
    const chance = bad === "up" ? difference!.chanceOfHigher : difference!.chanceOfLower;
    return [-Math.log(2) - Math.log(Math.max(1e-4, chance)) / 2];
  });
  const { log, since } = evidenceOfChange(bets, bar.most);
  const recent = portions.slice(since);
  const [canary, control] = [recent.flatMap((one) => one[0]), recent.flatMap((one) => one[1])];
  const ratio = bad === "up" ? timesOf(mean(canary), mean(control)) : timesOf(mean(control), mean(canary));
  const numbers = { canary: mean(canary), control: mean(control), ratio, of: canary.length, p: chanceOf(log) };
  const last = compared.at(-1)!;
  const why = bad === "up" ? "is higher" : "is lower";
  if (ratio >= settings.rollback && log >= bar.worse) {
    return { ...word(measured, "worse", why, numbers), acts: measured.baseline === "concurrent" };
  }
  if (last.is === "worse" && (measured.baseline === "concurrent" || ratio >= settings.rollback))
    return word(measured, "degraded", why, numbers);
  if (last.is === "fine") return word(measured, "fine", last.why, numbers);
  return cannotTell(measured, last.why, numbers);
}

type Portion = readonly [readonly number[], readonly number[]];

function portionsOf(looks: readonly Look[]): Portion[] {
  const portions: Portion[] = [];
  let [canary, control]: [number[], number[]] = [[], []];
  for (const { measured } of looks) {
    canary = [...canary, ...valuesOf(measured.canary)];
    control = [...control, ...valuesOf(measured.control)];
    if (canary.length < VALUES || control.length < VALUES) continue;
    portions.push([canary, control]);
    [canary, control] = [[], []];
  }
  return portions;
}

function valuesOf(reading: Look["measured"]["canary"]): readonly number[] {
  if (reading.is === "series") return reading.values;
  return reading.is === "value" ? [reading.value] : [];
}

/** Shares of the traffic that the new version may have lost. */
const LOST = [1 / 1.5, 1 / 2, 1 / 3, 1 / 10];
/** Sessions that stick to a version come in clusters. */
const CLUSTERS = 5;
/** It had its share where it had so much of it: routers round, and may not have begun. */
const HAD_SHARE = 0.7;

/**
 * Judges how much of its share of the traffic a version has, which only a version beside it can say: real traffic halves and doubles by
 * itself. What never had its share says nothing of the version, as a router may not have given it.
 */
export function judgeThroughput(looks: readonly Look[], bar: Bar): Judged {
  const newest = looks.at(-1)!;
  const { measured } = newest;
  const { settings } = bar;
  if (measured.baseline !== "concurrent" || newest.weight <= 0 || newest.weight >= 100)
    return cannotTell(measured, "has no version beside it to be compared with", { thin: true });
  const known = unknown(newest);
  if (known) return known;
  const pairs = looks.flatMap((look) => {
    const { canary, control } = look.measured;
    const [ours, theirs] = [amountOf(canary) ?? look.requests[0], amountOf(control) ?? look.requests[1]];
    if (ours === undefined || theirs === undefined || look.weight <= 0 || look.weight >= 100) return [];
    return [{ ours, theirs, expected: (theirs * look.weight) / (100 - look.weight) }];
  });
  const had = pairs.findIndex(({ ours, expected }) => expected > 0 && ours >= HAD_SHARE * expected);
  const counted = had === -1 ? [] : pairs.slice(had);
  const due = counted.reduce((sum, { expected }) => sum + expected, 0);
  if (had === -1) return cannotTell(measured, "was never the share that the version is to have", { thin: true });
  if (due < settings.min_requests) return cannotTell(measured, "rests on too few requests", { thin: true });
  const rows = counted.map(({ ours, theirs, expected }) =>
    LOST.map((lost) => {
      if (!(expected > 0)) return 0;
      return splitLogRatio({ events: ours, exposure: expected }, { events: theirs, exposure: theirs }, lost) / CLUSTERS;
    }),
  );
  const { log, since } = evidenceOfChange(rows, bar.most);
  const recent = counted.slice(since);
  const sum = (of: (pair: (typeof counted)[number]) => number) => recent.reduce((all, one) => all + of(one), 0);
  const [ours, expected] = [sum((one) => one.ours), sum((one) => one.expected)];
  const ratio = expected / Math.max(0.5, ours);
  const numbers = { canary: ours, control: expected, ratio, of: expected, p: chanceOf(log) };
  if (ratio >= settings.rollback && log >= bar.worse)
    return { ...word(measured, "worse", "is lower", numbers), acts: true };
  if (ratio >= settings.degraded && log >= Math.log(20)) return word(measured, "degraded", "is lower", numbers);
  return word(measured, "fine", "is not lower", numbers);
}

function amountOf(reading: Look["measured"]["canary"]): number | undefined {
  return reading.is === "value" ? reading.of : undefined;
}

/** How many times the one is the other; of zero, as of a thousandth of what it is compared with, so that it stays a number. */
function timesOf(one: number, other: number): number {
  if (one === other) return 1;
  const least = Math.abs(one) / 1_000;
  return one <= 0 ? 0 : one / Math.max(least, other);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(1, values.length - 1);
}
