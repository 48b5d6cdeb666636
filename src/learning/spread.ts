import type { MetricName } from "../domain/metrics.ts";
import type { Counts } from "./counts.ts";

/** The bucket of a time: each is 1.41 times as long as the one before it, so that some forty reach from a second to weeks. */
export function bucketOf(seconds: number): number {
  return seconds < 1 ? 0 : 1 + Math.floor(2 * Math.log2(seconds));
}

/** The name under which times of a metric in a bucket are counted. */
export function spreadName(metric: MetricName, seconds: number): string {
  return `${metric} ${bucketOf(seconds)}`;
}

/** Seconds within which at least a share of the times was over: the end of a bucket, so at most 1.41 times too long. Undefined without any. */
export function secondsWithin(counts: Counts, metric: MetricName, share: number): number | undefined {
  const buckets = counts
    .names("spread")
    .filter(({ name }) => name.startsWith(`${metric} `))
    .map(({ name, of }) => ({ bucket: Number(name.slice(metric.length + 1)), of }))
    .sort((a, b) => a.bucket - b.bucket);
  const all = buckets.reduce((sum, { of }) => sum + of, 0);
  let counted = 0;
  for (const { bucket, of } of buckets) {
    counted += of;
    if (counted >= share * all) return 2 ** (bucket / 2);
  }
  return undefined;
}
