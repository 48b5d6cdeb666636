import {
  type Counts,
  dispersionOf,
  evidenceOfChange,
  knownRateLogRatio,
  splitLogRatio,
  upperShare,
} from "../../../safety/sequential-evidence.ts";
import { type Bar, cannotTell, chanceOf, DEGRADED, FINE, type Judged, type Look, unknown, word } from "./looks.ts";

/** How many times worse a version may be, of which the evidence is the sum. */
const TIMES = [1.5, 2, 3, 5, 10, 30, 100];
/** From this share of failures on, of so many requests, nobody waits: beside a version that does not fail, and without one. */
const DISASTER = { beside: 0.8, alone: 0.95, requests: 20 };
/** A version beside it that fails more often than so has its own trouble: no disaster of this one. */
const HEALTHY = 0.1;
/** Fewer errors than `errors` may be one client's: they have to be seen in so many looks. */
const FEW = { errors: 30, looks: 3 };
/** A share of errors that is nobody's trouble where the service says no other: a version that is surely below may go on. */
const ACCEPTABLE = 0.005;
/** Both fail when the version before does in so many cases. */
const BOTH_FAIL = 0.1;
/** What came before is one window of another time: its errors may come in clusters, which one window does not show. So large, to be safe. */
const UNSEEN_CLUSTERS = 5;
/** The same where they only say that it may go on, after which it is looked at again. */
const LIKELY_CLUSTERS = 2;

interface Pair {
  readonly canary: Counts;
  readonly control: Counts | undefined;
}

/** Judges the share of requests that fail, over all looks of a step. `earlier`: looks of the steps before it. */
export function judgeErrors(looks: readonly Look[], bar: Bar, earlier: readonly Look[] = []): Judged {
  const newest = looks.at(-1)!;
  const { measured } = newest;
  const { settings } = bar;
  const known = unknown(newest);
  const pairs = looks.flatMap(pairOf);
  const disaster = disasterIn(pairs, newest);
  if (known && (!disaster || measured.canary.is === "none")) return known;
  const canary = total(pairs.map((one) => one.canary));
  if (!(canary.exposure > 0)) return cannotTell(measured, "had no requests to count", { of: 0, thin: true });
  if (disaster) return disaster;
  const { beyond, log, since } = evidenceOf(pairs, looks, bar);
  const from = pairs.slice(since);
  const recent = total(from.map((one) => one.canary));
  const { ratio, control, controlOf } = compared(from, measured.baseline);
  const share = recent.events / recent.exposure;
  const numbers = { canary: share, control, ratio, of: recent.exposure, controlOf, p: chanceOf(log) };
  const objective = settings.objective.error_rate;
  const breaks = objective !== undefined && share > objective && (control ?? 0) <= objective && beyond >= bar.worse;
  if (measured.baseline === "none") return byObjective(newest, canary, objective, { ...numbers, breaks });
  const limit = breaks ? settings.degraded : settings.rollback;
  const counts = recent.events >= settings.min_errors && recent.exposure >= settings.min_requests;
  if (counts && ratio >= limit && log >= bar.worse) {
    const why = breaks ? "are beyond the objective" : "are more frequent";
    return {
      ...word(measured, "worse", why, numbers),
      acts: mayAct(from, ratio, limit, measured.baseline, since, bar),
    };
  }
  if (counts && ratio >= settings.degraded && log >= DEGRADED)
    return word(measured, "degraded", "are more frequent", numbers);
  if (canary.exposure < settings.min_requests)
    return cannotTell(measured, "come of too few requests", { ...numbers, thin: true });
  const beside = earlier.filter((look) => look.measured.baseline === "concurrent" && !unknown(look)).flatMap(pairOf);
  return fineOrNot(pairs, beside, newest, bar, numbers.p);
}

function pairOf({ measured: { canary, control, baseline } }: Look): Pair[] {
  if (canary.is !== "counts" || canary.requests <= 0) return [];
  const ours = { events: canary.errors, exposure: canary.requests };
  if (baseline === "none") return [{ canary: ours, control: undefined }];
  if (control.is !== "counts" || control.requests <= 0) return [];
  return [{ canary: ours, control: { events: control.errors, exposure: control.requests } }];
}

/**
 * Whether it may be rolled back for it: the newest look says the same, and few errors do not come of a client or two. Against another time than
 * its own only where it was so from the first look of a deployment on: what begins later, or was there already, may be anything's.
 */
function mayAct(
  from: readonly Pair[],
  ratio: number,
  limit: number,
  baseline: string,
  since: number,
  bar: Bar,
): boolean {
  const newest = compared(from.slice(-1), baseline).ratio;
  const errors = total(from.map((one) => one.canary)).events;
  const isSpread = errors >= FEW.errors || from.filter(({ canary }) => canary.events > 0).length >= FEW.looks;
  return newest >= limit && ratio >= limit && isSpread && (baseline !== "before" || (bar.first && since === 0));
}

/** All or nearly all of the newest requests fail, and they do not fail beside. */
function disasterIn(pairs: readonly Pair[], { measured }: Look): Judged | undefined {
  const tail: Pair[] = [];
  for (const pair of pairs.toReversed()) {
    tail.unshift(pair);
    if (total(tail.map((one) => one.canary)).exposure >= DISASTER.requests) break;
  }
  const canary = total(tail.map((one) => one.canary));
  const control = total(tail.flatMap((one) => one.control ?? []));
  if (canary.exposure < DISASTER.requests) return undefined;
  const share = canary.events / canary.exposure;
  const beside = control.exposure > 0 ? control.events / control.exposure : 0;
  const limit = measured.baseline === "concurrent" ? DISASTER.beside : DISASTER.alone;
  if (share < limit || beside > HEALTHY) return undefined;
  const numbers = { canary: share, of: canary.exposure, ...(control.exposure > 0 ? { control: beside } : {}) };
  return { ...word(measured, "worse", "are nearly all there is", numbers), disaster: true, acts: true };
}

/** Evidence for more errors than the version before has, and for more than the objective allows. */
function evidenceOf(pairs: readonly Pair[], looks: readonly Look[], bar: Bar) {
  const { error_rate: objective } = bar.settings.objective;
  const { baseline } = looks.at(-1)!.measured;
  const controls = pairs.flatMap(({ control }) => control ?? []);
  const largest = controls.reduce<Counts | undefined>((a, b) => (a && a.exposure >= b.exposure ? a : b), undefined);
  const rate =
    baseline === "concurrent"
      ? undefined
      : ((largest && upperShare(fewer(largest, UNSEEN_CLUSTERS), 2.33)) ?? objective);
  const rows = pairs.map(({ canary, control }) =>
    TIMES.map((times) => {
      if (baseline === "concurrent" && control) return splitLogRatio(canary, control, times);
      return rate === undefined ? 0 : alone(canary, rate, times);
    }),
  );
  // Errors that come in clusters prove less each: as those before show, or those of this version since they rose.
  const before = clustersOf(controls, baseline);
  const { since } = evidenceOfChange(scaled(rows, before), bar.most);
  const clusters = Math.max(before, dispersionOf(pairs.slice(since).map(({ canary }) => canary)));
  const beyond =
    objective === undefined ? [] : pairs.map(({ canary }) => TIMES.map((times) => alone(canary, objective, times)));
  return {
    beyond: beyond.length === 0 ? 0 : evidenceOfChange(scaled(beyond, clusters), bar.most).log,
    log: evidenceOfChange(scaled(rows, clusters), bar.most).log,
    since,
  };
}

function scaled(rows: readonly (readonly number[])[], by: number): number[][] {
  return rows.map((row) => row.map((one) => one / by));
}

/** Counts of which only one in so many says something of its own. */
function fewer({ events, exposure }: Counts, clusters: number): Counts {
  return { events: events / clusters, exposure: exposure / clusters };
}

function clustersOf(controls: readonly Counts[], baseline: string, unseen = UNSEEN_CLUSTERS): number {
  return baseline === "concurrent" ? dispersionOf(controls) : unseen;
}

function alone(counts: Counts, rate: number, times: number): number {
  const limit = Math.min(0.9, Math.max(1e-6, rate));
  return knownRateLogRatio(counts, Math.min(0.99, limit * times), limit);
}

/**
 * How many times more often the new version fails, look by look against what ran beside it (Mantel and Haenszel), so that hours and shares
 * of the traffic that differ do not mix. Where the other never failed, as if it had failed half a time.
 */
function compared(pairs: readonly Pair[], baseline: string) {
  const last = baseline === "before" ? pairs.slice(-1) : pairs;
  const control = total(last.flatMap((one) => one.control ?? []));
  const canary = total(pairs.map((one) => one.canary));
  if (!(control.exposure > 0)) return { ratio: 1, control: undefined, controlOf: undefined };
  const share = control.events / control.exposure;
  if (baseline === "before") {
    return {
      ratio: canary.events / canary.exposure / (Math.max(0.5, control.events) / control.exposure),
      control: share,
      controlOf: control.exposure,
    };
  }
  let [ours, theirs] = [0, 0];
  for (const { canary: one, control: other } of pairs) {
    if (!other) continue;
    const all = one.exposure + other.exposure;
    ours += (one.events * other.exposure) / all;
    theirs += (other.events * one.exposure) / all;
  }
  const half = (0.5 * canary.exposure) / (canary.exposure + control.exposure);
  return { ratio: ours / Math.max(half, theirs), control: share, controlOf: control.exposure };
}

type Compared = {
  canary: number;
  control: number | undefined;
  ratio: number;
  of: number;
  controlOf: number | undefined;
  p: number;
};

/** A first version has nothing beside it or before it: only the objective speaks. */
function byObjective(
  { measured }: Look,
  canary: Counts,
  objective: number | undefined,
  { breaks, ...numbers }: Compared & { breaks: boolean },
): Judged {
  const { ratio: _, ...alone } = numbers;
  if (objective === undefined) return cannotTell(measured, "has nothing to be compared with", alone);
  if (breaks) return { ...word(measured, "worse", "are beyond the objective", alone), acts: true };
  if (upperShare(canary, 1.64) <= objective) return word(measured, "fine", "are within the objective", alone);
  return cannotTell(measured, "come of too few requests", { ...alone, thin: true });
}

/**
 * Whether the version is no worse: shown against what it is compared with, or its errors are surely fewer than anybody minds. What earlier steps
 * showed side by side counts too, as long as this step by itself looks no worse: a leak grows.
 */
function fineOrNot(
  pairs: readonly Pair[],
  earlier: readonly Pair[],
  { measured }: Look,
  { settings }: Bar,
  p: number,
): Judged {
  const { baseline } = measured;
  const { degraded, rollback, min_errors, objective } = settings;
  const controls = pairs.flatMap(({ control }) => control ?? []);
  const canary = total(pairs.map((one) => one.canary));
  const { ratio, control, controlOf } = compared(pairs, baseline);
  const told = { canary: canary.events / canary.exposure, control, ratio, of: canary.exposure, controlOf, p };
  const beside = total(controls.slice(-2));
  if (beside.exposure > 0 && beside.events / beside.exposure >= BOTH_FAIL)
    return cannotTell(measured, "are many with both versions, which is not this one's fault", told);
  const apart = [...earlier, ...(baseline === "concurrent" ? pairs : [againstBefore(canary, controls, earlier)])];
  const evidence = apart.reduce(
    (sum, one) => sum + (one.control ? splitLogRatio(one.canary, one.control, 1, rollback) : 0),
    0,
  );
  const clusters = Math.max(clustersInSplit(apart), baseline === "concurrent" ? 1 : LIKELY_CLUSTERS);
  const isLow = ratio < degraded || ratioOf(apart.at(-1)) < degraded;
  const isSame = isLow && compared(apart, "concurrent").ratio < degraded && evidence / clusters >= FINE;
  const isRare = upperShare(total(apart.map((one) => one.canary)), 1.64) <= (objective.error_rate ?? ACCEPTABLE);
  if (isSame || (isRare && (ratio < rollback || canary.events < min_errors)))
    return word(measured, "fine", "are not more frequent", told);
  return cannotTell(measured, "are too few to compare yet", { ...told, thin: ratio < degraded });
}

/**
 * All of a step that has no version beside it, against what is known of the version before: the one window of the time before, which is the
 * same at each look and counts once, and what it did beside this version in earlier steps.
 */
function againstBefore(canary: Counts, controls: readonly Counts[], earlier: readonly Pair[]): Pair {
  const known = [...earlier.flatMap((one) => one.control ?? []), ...controls.slice(-1)];
  return { canary, control: known.length === 0 ? undefined : total(known) };
}

/**
 * How much more the split of errors between two versions varies from look to look than chance explains: clusters do that, while trouble that
 * both have does not. At least 1, at most 10.
 */
function clustersInSplit(pairs: readonly Pair[]): number {
  const used = pairs.flatMap(({ canary, control }) => {
    const events = canary.events + (control?.events ?? 0);
    return control && events > 0
      ? [{ canary, events, share: canary.exposure / (canary.exposure + control.exposure) }]
      : [];
  });
  if (used.length < 3) return 1;
  const sum = used.reduce((all, { canary, events, share }) => {
    return all + (canary.events - events * share) ** 2 / (events * share * (1 - share));
  }, 0);
  return Math.min(10, Math.max(1, sum / (used.length - 1)));
}

function ratioOf(pair: Pair | undefined): number {
  return pair?.control ? compared([pair], "concurrent").ratio : 1;
}

function total(counts: readonly Counts[]): Counts {
  return {
    events: counts.reduce((sum, one) => sum + one.events, 0),
    exposure: counts.reduce((sum, one) => sum + one.exposure, 0),
  };
}
