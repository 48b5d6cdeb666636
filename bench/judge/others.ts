import type { JudgeSettings, Sample } from "../../src/domain/samples.ts";
import { isSteadilyGood, judge } from "../../src/pipeline/deploy/judge/judge.ts";

/** A way to judge a step by its samples and those of the steps before. `isOver`: the step has baked, which some wait for. */
export type Judging = (
  samples: readonly Sample[],
  isOver: boolean,
  isFirst: boolean,
  earlier: readonly Sample[],
) => "go_on" | "wait" | "roll_back";

/** As a deployment goes by the judge: its last step, which is watched, is good where its latest looks all say so. */
export function byForge(settings: JudgeSettings): Judging {
  return (samples, isOver, isFirst, earlier) => {
    const { follows } = judge(settings, samples, isFirst, earlier);
    if (!isOver || follows !== "go_on" || samples.at(-1)?.weight !== 100) return follows;
    return isSteadilyGood(settings, samples, isFirst, earlier) ? "go_on" : "wait";
  };
}

/** The plain rule: errors or the 95th percentile above twice those of the version before, in two looks running. */
export const byThresholds: Judging = (samples) => {
  const isAbove = (sample: Sample | undefined, metric: string) => {
    const [ours, theirs] = pairOf(sample, metric);
    return ours !== undefined && theirs !== undefined && ours > 2 * theirs;
  };
  const [last, previous] = [samples.at(-1), samples.at(-2)];
  const isWorse = ["errors", "latency_p95"].some((metric) => isAbove(last, metric) && isAbove(previous, metric));
  return isWorse ? "roll_back" : "go_on";
};

/**
 * As Kayenta does it at its default settings: at the end of a step beside the old version, for each metric one value a look; high where the
 * interval of 98 % of the shift (Mann and Whitney, Hodges and Lehmann) lies above a quarter of the shift. Rolled back below so many points,
 * of 100 for all metrics that are not high; 75 is what its documentation shows, and 100 takes one metric.
 */
export function byRanks(points: number): Judging {
  return (samples, isOver) => {
    if (!isOver) return "wait";
    if (samples.at(-1)?.metrics[0]?.baseline !== "concurrent") return "go_on";
    const high = METRICS.filter((metric) => {
      const pairs = samples.map((sample) => pairOf(sample, metric));
      const [ours, theirs] = [pairs.flatMap(([one]) => one ?? []), pairs.flatMap(([, other]) => other ?? [])];
      return isHigherByRanks(ours, theirs);
    });
    return 100 * (1 - high.length / METRICS.length) < points ? "roll_back" : "go_on";
  };
}

const METRICS = ["errors", "latency_p50", "latency_p95", "latency_p99", "saturation"];

/** Kayenta's answer of two series: 2.326 is the normal quantile of 98 %, two-sided. */
function isHigherByRanks(ours: readonly number[], theirs: readonly number[], z = 2.3263, tolerance = 0.25): boolean {
  const shifts = ours.flatMap((one) => theirs.map((other) => one - other)).sort((a, b) => a - b);
  const [m, n] = [ours.length, theirs.length];
  if (shifts.length === 0 || shifts[0] === shifts.at(-1)) return (shifts[0] ?? 0) > 0;
  const ties = new Map<number, number>();
  for (const value of [...ours, ...theirs]) ties.set(value, (ties.get(value) ?? 0) + 1);
  const tied = [...ties.values()].reduce((sum, count) => sum + (count ** 3 - count), 0) / ((m + n) * (m + n - 1));
  const place = Math.floor((m * n) / 2 - 0.5 - z * Math.sqrt(((m * n) / 12) * (m + n + 1 - tied)));
  const shift = (shifts[Math.floor((shifts.length - 1) / 2)]! + shifts[Math.ceil((shifts.length - 1) / 2)]!) / 2;
  const low = place < 0 ? shifts[0]! : shifts[place]!;
  return low > tolerance * Math.abs(shift);
}

function pairOf(sample: Sample | undefined, metric: string): readonly [number | undefined, number | undefined] {
  const measured = sample?.metrics.find((one) => one.metric === metric);
  return [numberOf(measured?.canary), numberOf(measured?.control)];
}

function numberOf(reading: Sample["metrics"][number]["canary"] | undefined): number | undefined {
  if (reading?.is === "counts") return reading.requests > 0 ? reading.errors / reading.requests : undefined;
  if (reading?.is === "series") return reading.values.reduce((sum, value) => sum + value, 0) / reading.values.length;
  return reading?.is === "value" ? reading.value : undefined;
}
