import { evidenceOfChange } from "../../../safety/sequential-evidence.ts";
import { type Bar, cannotTell, chanceOf, DEGRADED, FINE, type Judged, type Look, unknown, word } from "./looks.ts";

/**
 * For each quantile how wide it scatters: the standard deviation of its logarithm is `width` over the root of the observations, for
 * durations as spread as a log-normal distribution with sigma 1; and how many observations it takes, so that five lie beyond it.
 */
const QUANTILES: Readonly<Record<string, { readonly width: number; readonly observations: number }>> = {
  latency_p50: { width: 1.253, observations: 20 },
  latency_p95: { width: 2.114, observations: 100 },
  latency_p99: { width: 3.733, observations: 500 },
};
const TIMES = [1.5, 2, 3, 5, 10];
/** Scatter of a service beside that of the sample, as a standard deviation of the logarithm. */
const NOISE = { least: 0.12, before: 0.3, most: 0.5 };
/** No user waits for less, in milliseconds. */
const NOBODY_WAITS = 10;
const MOST_TIMES = Math.log(10);

interface Compared {
  /** Logarithm of how many times slower. */
  readonly times: number;
  readonly variance: number;
  readonly values: readonly [number, number];
  readonly of: number;
}

export function isLatency(metric: string): boolean {
  return metric in QUANTILES;
}

/** Judges a quantile of the time that requests take, in milliseconds. Against another time than its own it only asks. */
export function judgeLatency(looks: readonly Look[], bar: Bar): Judged {
  const newest = looks.at(-1)!;
  const { measured } = newest;
  const { settings } = bar;
  const known = unknown(newest);
  if (known) return known;
  const quantile = QUANTILES[measured.metric]!;
  const objective = measured.metric === "latency_p95" ? settings.objective.latency_p95_ms : undefined;
  if (measured.baseline === "none") return byObjective(newest, quantile.observations, objective);
  if (measured.control.is === "value" && measured.control.value === 0)
    return cannotTell(measured, "was zero before", { thin: true });
  const noise = noiseOf(looks);
  const pairs = looks.flatMap((look) => compare(look, quantile, noise));
  if (pairs.length === 0) return cannotTell(measured, "rests on too few requests", { thin: true });
  const rows = pairs.map(({ times, variance }) =>
    TIMES.map(Math.log).map((mean) => (mean * times - mean ** 2 / 2) / variance),
  );
  const { log, since } = evidenceOfChange(rows, bar.most);
  const recent = pooled(pairs.slice(since));
  const numbers = { ...recent, p: chanceOf(log) };
  const isBeyond = objective !== undefined && recent.canary > objective && recent.control <= objective;
  const limit = isBeyond ? settings.degraded : settings.rollback;
  if (recent.canary >= NOBODY_WAITS) {
    const acts = measured.baseline === "concurrent";
    const why = isBeyond ? "is beyond the objective" : "is longer";
    if (recent.ratio >= limit && log >= bar.worse) return { ...word(measured, "worse", why, numbers), acts };
    if (recent.ratio >= settings.degraded && log >= DEGRADED) return word(measured, "degraded", why, numbers);
  }
  const all = { ...pooled(pairs), p: chanceOf(log) };
  const mean = Math.log(settings.rollback);
  const evidence = pairs.reduce((sum, { times, variance }) => sum + (mean ** 2 / 2 - mean * times) / variance, 0);
  if (all.canary < NOBODY_WAITS) return word(measured, "fine", `is under ${NOBODY_WAITS} ms`, all);
  if (all.ratio < settings.degraded && evidence >= FINE) return word(measured, "fine", "is not longer", all);
  return cannotTell(measured, "scatters too much to tell", { ...all, thin: all.ratio < settings.degraded });
}

function byObjective({ measured, requests }: Look, observations: number, objective: number | undefined): Judged {
  const { canary } = measured;
  if (objective === undefined || canary.is !== "value")
    return cannotTell(measured, "has nothing to be compared with", { thin: true });
  const of = canary.of ?? requests[0] ?? 0;
  const numbers = { canary: canary.value, of };
  if (of < observations) return cannotTell(measured, "rests on too few requests", { ...numbers, thin: true });
  if (canary.value <= objective) return word(measured, "fine", "is within the objective", numbers);
  return cannotTell(measured, "is beyond the objective, and nothing says since when", numbers);
}

/** How much the other version's own quantile scatters from look to look: a service that jumps proves less by a jump. */
function noiseOf(looks: readonly Look[]): number {
  if (looks.at(-1)!.measured.baseline !== "concurrent") return NOISE.before;
  const values = looks.flatMap(({ measured: { control } }) =>
    control.is === "value" && control.value > 0 ? [Math.log(control.value)] : [],
  );
  const steps = values.slice(1).map((value, at) => Math.abs(value - values[at]!));
  // The median of them, as trouble that begins and ends once is no noise.
  const middle = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.min(NOISE.most, Math.max(NOISE.least, middle));
}

function compare(
  { measured: { canary, control }, requests }: Look,
  { width, observations }: { width: number; observations: number },
  noise: number,
): Compared[] {
  if (canary.is !== "value" || control.is !== "value" || control.value <= 0) return [];
  const [ours, theirs] = [canary.of ?? requests[0] ?? 0, control.of ?? requests[1] ?? 0];
  if (ours < observations || theirs < observations) return [];
  const times = Math.log(Math.max(canary.value, 1e-6) / control.value);
  const variance = width ** 2 * (1 / ours + 1 / theirs) + noise ** 2;
  return [
    {
      times: Math.max(-MOST_TIMES, Math.min(MOST_TIMES, times)),
      variance,
      values: [canary.value, control.value],
      of: ours,
    },
  ];
}

/** The middle of the looks, each by how much it is worth. */
function pooled(pairs: readonly Compared[]) {
  const worth = pairs.reduce((sum, { variance }) => sum + 1 / variance, 0);
  const mean = (value: (pair: Compared) => number) =>
    pairs.reduce((sum, pair) => sum + value(pair) / pair.variance, 0) / worth;
  return {
    canary: mean(({ values }) => values[0]),
    control: mean(({ values }) => values[1]),
    ratio: Math.exp(mean(({ times }) => times)),
    of: pairs.reduce((sum, { of }) => sum + of, 0),
  };
}
