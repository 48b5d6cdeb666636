import type { Measured, Reading, Sample } from "../../src/domain/samples.ts";
import { seeded } from "../learning/seeded.ts";

/** What is wrong with a version. */
export const FAULTS = ["errors", "latency", "crash_loop", "slow_leak", "one_path"] as const;
export type Fault = (typeof FAULTS)[number];

/** A deployment as a seed makes it: the service, what happens to it meanwhile, and what is wrong with the new version. */
export interface Deployment {
  readonly steps: readonly number[];
  readonly fault: Fault | undefined;
  /** How many times worse the new version is in the end, in errors or in its 95th percentile, whichever is more. */
  readonly times: number;
  /** Enough comes to its steps to tell, by the definition in `hasEnough`. */
  readonly enough: boolean;
  /** Requests a look at a share of 5 %. */
  readonly requests: number;
  /** Looks of each step: as many as it bakes, and as many as are waited for at most; after the last step it is watched. */
  readonly looks: (step: number) => { readonly least: number; readonly most: number };
  /** One look; `step` is an index of `steps`, `at` a look of that step, from 0. Looks are asked for in order. */
  readonly look: (step: number, at: number) => Sample;
  /** Requests that the new version answered until now. */
  readonly met: () => number;
}

const BAKE = 10;
const WATCH = 20;
/** Looks after the bake or the watch until people are asked or told, as `ask_minutes` has them where nobody sets it. */
const ASK = 30;
const MINUTE_MS = 60_000;
const START = Date.parse("2026-01-01T00:00:00Z");
/** Standard normal 95 % quantile. */
const Z95 = 1.6449;

/**
 * Traffic: 5 to 5,000 requests a look for the new version at a share of 5 %. A tenth of the deployments have no step beside the old version.
 */
export function deploymentOf(seed: number, isBad: boolean): Deployment {
  const random = createRandom(seed);
  const { uniform, between, logBetween, normal, chance } = random;
  const steps = random.pick([
    [5, 25, 100],
    [5, 25, 100],
    [5, 25, 100],
    [5, 25, 100],
    [5, 25, 100],
    [5, 25, 100],
    [5, 10, 25, 50, 100],
    [5, 10, 25, 50, 100],
    [5, 10, 25, 50, 100],
    [100],
  ]);
  const traffic = logBetween(100, 100_000);
  const base = chance(0.15) ? 0 : logBetween(0.0001, 0.02);
  const cluster = chance(0.5) ? 1 : between(1, 6);
  const median = logBetween(15, 500);
  const sigma = between(0.4, 1.2);
  const jitter = { shared: between(0.02, 0.2), own: between(0.01, 0.1) };
  const day = { phase: uniform() * 2 * Math.PI, depth: between(0, 0.8) };
  const offset = normal() * 0.08;
  const load = between(0.15, 0.6);
  const fault = isBad ? random.pick(FAULTS) : undefined;
  const harm = harmOf(fault, base, sigma, random);
  const lasts = steps.length * BAKE + WATCH;
  const trouble = chance(0.25)
    ? {
        from: Math.floor(uniform() * lasts),
        length: 2 + Math.floor(uniform() * 14),
        errors: logBetween(0.01, 0.4),
        slower: between(1.5, 5),
      }
    : undefined;
  const bursts = new Map<number, number>();
  for (let at = 0; at < 2 * lasts; at += 1)
    if (chance(0.03)) for (let i = 0; i < 3; i += 1) bursts.set(at + i, between(2, 5));
  let clock = 0;
  let met = 0;

  /** All readings of a version in one look. */
  const read = (
    amount: number,
    isNew: boolean,
    first: boolean,
    now: { shared: number; isTrouble: boolean; age: number },
  ): Map<string, Reading> => {
    const requests = random.poisson(amount);
    const grown = isNew ? harm.grown(now.age) : 0;
    const fails = Math.min(0.99, base + (isNew ? harm.errors * grown : 0) + (now.isTrouble ? trouble!.errors : 0));
    const events =
      cluster === 1
        ? random.poisson(requests * fails)
        : Math.round(random.poisson((requests * fails) / cluster) * cluster);
    const errors = Math.min(requests, events);
    const slower =
      Math.exp(now.shared + normal() * jitter.own) *
      (now.isTrouble ? trouble!.slower : 1) *
      (first ? between(1, 1.4) : 1);
    const quantile = (z: number, width: number): Reading => {
      if (requests === 0) return { is: "none", why: "no_data" };
      const shift = isNew ? harm.logLatency(z, grown) : 0;
      return {
        is: "value",
        value: median * slower * Math.exp(z * sigma + shift + (normal() * width * sigma) / Math.sqrt(requests)),
        of: requests,
      };
    };
    const used = load * (isNew ? 1 + offset : 1) * (isNew ? 1 + harm.saturation * grown : 1);
    const values = Array.from({ length: 20 }, () => Math.max(0, used * (1 + now.shared) + normal() * 0.03));
    return new Map<string, Reading>([
      ["errors", { is: "counts", requests, errors }],
      ["throughput", { is: "value", value: requests / 60, of: requests }],
      ["latency_p50", quantile(0, 1.253)],
      ["latency_p95", quantile(Z95, 2.114)],
      ["latency_p99", quantile(2.3263, 3.733)],
      ["saturation", { is: "series", values }],
    ]);
  };
  const before = read(traffic, false, false, { shared: normal() * jitter.shared, isTrouble: false, age: 0 });

  return {
    steps,
    fault,
    times: harm.times,
    enough: fault !== undefined && hasEnough(steps, traffic, harm),
    requests: traffic / 20,
    looks: (step) =>
      steps[step] === 100 ? { least: BAKE + WATCH, most: BAKE + WATCH + ASK } : { least: BAKE, most: BAKE + ASK },
    met: () => met,
    look: (step, at) => {
      const weight = steps[step]!;
      const tide = 1 + day.depth * Math.sin(day.phase + (clock * 2 * Math.PI) / 120);
      const all = traffic * tide * (bursts.get(clock) ?? 1);
      const isTrouble = trouble !== undefined && clock >= trouble.from && clock < trouble.from + trouble.length;
      const now = { shared: normal() * jitter.shared, isTrouble, age: clock };
      const canary = read((all * weight * (1 - harm.lost * harm.grown(clock))) / 100, true, at === 0, now);
      const control = weight < 100 ? read((all * (100 - weight)) / 100, false, false, now) : before;
      const counts = canary.get("errors")!;
      met += counts.is === "counts" ? counts.requests : 0;
      const silence = uniform();
      const missing: Reading | undefined =
        silence < 0.01 ? { is: "none", why: "unreachable" } : silence < 0.02 ? { is: "none", why: "stale" } : undefined;
      const metrics = [...canary].map(
        ([metric, reading]): Measured => ({
          metric,
          bad: metric === "throughput" ? "down" : "up",
          canary: missing ?? reading,
          control: missing ?? control.get(metric)!,
          baseline: weight < 100 ? "concurrent" : "before",
        }),
      );
      const from = new Date(START + clock * MINUTE_MS).toISOString();
      clock += 1;
      const to = new Date(START + clock * MINUTE_MS).toISOString();
      return { at: to, from, to, weight, metrics };
    },
  };
}

/** What a fault does. `grown` is how much of it there is after so many looks, 0 to 1. */
interface Harm {
  /** Share of requests that fail beside those that failed before. */
  readonly errors: number;
  /** What it adds to the logarithm of the quantile that lies at `z`. */
  readonly logLatency: (z: number, grown: number) => number;
  readonly lost: number;
  readonly saturation: number;
  readonly grown: (age: number) => number;
  readonly times: number;
  /** The new version's times in the 95th percentile alone. */
  readonly slower: number;
}

function harmOf(
  fault: Fault | undefined,
  base: number,
  sigma: number,
  { uniform, between, logBetween, chance }: Random,
): Harm {
  const none: Harm = { errors: 0, logLatency: () => 0, lost: 0, saturation: 0, grown: () => 1, times: 1, slower: 1 };
  // Of no errors there is no multiple: a service without any is as one with 1 in 2,000.
  const floor = Math.max(base, 0.0005);
  const slow = (times: number) => ({
    logLatency: (_: number, grown: number) => Math.log(1 + (times - 1) * grown),
    slower: times,
  });
  switch (fault) {
    case undefined:
      return none;
    case "errors": {
      const times = logBetween(2, 50);
      return { ...none, errors: Math.min(0.9, floor * (times - 1)), times };
    }
    case "latency": {
      const times = logBetween(1.5, 10);
      return { ...none, ...slow(times), times };
    }
    case "crash_loop":
      return { ...none, errors: between(0.6, 1), lost: between(0, 0.5), times: 50 };
    case "slow_leak": {
      const [times, over] = [logBetween(2, 10), between(5, 20)];
      const isErrors = chance(0.5);
      const rest = isErrors ? { errors: floor * (times - 1) } : slow(times);
      return { ...none, ...rest, saturation: 0.5, grown: (age) => Math.min(1, age / over), times };
    }
    case "one_path": {
      if (chance(0.5)) {
        const errors = 0.1 * between(0.2, 1);
        return { ...none, errors, times: (floor + errors) / floor };
      }
      const times = 2 + 8 * uniform();
      const slower = Math.exp(mixedQuantile(0.95, sigma, Math.log(times)) - Z95 * sigma);
      const quantile = (z: number) => mixedQuantile(1 - tail(z), sigma, Math.log(times)) - z * sigma;
      return { ...none, logLatency: (z) => quantile(z), slower, times: slower };
    }
  }
}

/**
 * Enough traffic, as it was said before anything was measured: in a step beside the old version the fault makes 30 errors more in its ten
 * looks, or (for latency) there are 100 observations a look.
 */
function hasEnough(steps: readonly number[], traffic: number, harm: Harm): boolean {
  return steps.some((weight, step) => {
    if (weight === 100) return false;
    const requests = (traffic * weight) / 100;
    let errors = 0;
    for (let at = 0; at < BAKE; at += 1)
      errors += requests * (1 - harm.lost) * harm.errors * harm.grown(step * BAKE + at);
    const isSlow = harm.slower > 2 && requests >= 100 && harm.slower * harm.grown(step * BAKE + BAKE / 2) > 2;
    return errors >= 30 || isSlow;
  });
}

/** Where nine in ten durations are as ever and one in ten is longer, the quantile of the logarithm. */
function mixedQuantile(share: number, sigma: number, shift: number): number {
  let [low, high] = [-10, 10];
  for (let i = 0; i < 50; i += 1) {
    const middle = (low + high) / 2;
    const below = 0.9 * (1 - tail(middle / sigma)) + 0.1 * (1 - tail((middle - shift) / sigma));
    if (below < share) low = middle;
    else high = middle;
  }
  return low;
}

function tail(z: number): number {
  if (z < 0) return 1 - tail(-z);
  const t = 1 / (1 + 0.2316419 * z);
  return (
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  );
}

type Random = ReturnType<typeof createRandom>;

function createRandom(seed: number) {
  const uniform = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const between = (low: number, high: number) => low + (high - low) * uniform();
  return {
    uniform,
    normal,
    between,
    logBetween: (low: number, high: number) => Math.exp(between(Math.log(low), Math.log(high))),
    chance: (share: number) => uniform() < share,
    pick: <T>(all: readonly T[]): T => all[Math.floor(uniform() * all.length)]!,
    poisson: (mean: number): number => {
      if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      let count = 0;
      for (let left = Math.exp(-mean), product = uniform(); product > left; product *= uniform()) count += 1;
      return count;
    },
  };
}
