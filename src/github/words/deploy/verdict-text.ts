import type { MetricVerdict, Verdict } from "../../../domain/samples.ts";
import { howMuchWorse, inDigits } from "../../../pipeline/deploy/judge/how-much-worse.ts";
import { foreignCode, foreignLine, type Wording } from "../wording.ts";

const VERDICT_WORDS: Readonly<Record<Verdict["is"], string>> = {
  better_or_equal: "as good as the one before",
  worse: "worse than the one before",
  cannot_tell: "cannot tell yet",
};

/** What the judge says of a version; of one that was compared with no other, what it was seen to do by itself. */
export function verdictWords(verdict: Verdict): string {
  if (verdict.is === "cannot_tell" || isCompared(verdict)) return VERDICT_WORDS[verdict.is];
  return verdict.is === "worse" ? "not as it should be" : "good by itself, compared with no other";
}

/** Whether the word rests on another version, or on the time before. */
export function isCompared({ metrics, is }: Verdict): boolean {
  const speaks = (one: MetricVerdict) =>
    is === "worse" ? one.is === "worse" || one.is === "degraded" : one.is === "fine";
  return metrics.some((one) => one.baseline !== "none" && speaks(one));
}

const METRIC_WORDS: Readonly<Record<string, string>> = {
  errors: "error rate",
  latency_p50: "latency, half of the requests",
  latency_p95: "latency, 95 % of the requests",
  latency_p99: "latency, 99 % of the requests",
  throughput: "requests a second",
  saturation: "saturation",
};

/** What a metric is called; the names of own queries are the repository's. */
export function metricName(metric: string, wording: Wording): string {
  return Object.hasOwn(METRIC_WORDS, metric) ? metricWords(metric) : foreignCode(metric, wording, { table: true });
}

/** The same as plain text: what it is called, or the name of an own query as it is. */
export function metricWords(metric: string): string {
  return Object.hasOwn(METRIC_WORDS, metric) ? (METRIC_WORDS[metric] ?? metric) : metric;
}

/** What the judge says of a metric, as plain text. */
export const METRIC_VERDICTS: Readonly<Record<MetricVerdict["is"], string>> = {
  fine: "fine",
  degraded: "degraded",
  worse: "worse",
  cannot_tell: "cannot tell",
};

const IS: Readonly<Record<MetricVerdict["is"], string>> = {
  ...METRIC_VERDICTS,
  worse: "**worse**",
};

/** Rows that are shown; what decided comes first. */
const MAXIMUM_ROWS = 10;

/** What was compared, with its numbers: narrow enough for a phone. Nothing where nothing was. */
export function verdictTable({ metrics, sourceErrors }: Verdict, wording: Wording): string[] {
  const rows = metrics.slice(0, MAXIMUM_ROWS).map((one) => {
    return `| ${metricName(one.metric, wording)} | ${metricValue(one.metric, one.canary)} | ${metricValue(one.metric, one.control)} | ${said(one, wording)} |`;
  });
  const rest = metrics.length - rows.length;
  const errors = sourceErrors.slice(0, 3).map((error) => foreignLine(error, wording, { maximum: 160 }));
  return [
    ...(rows.length === 0 ? [] : [["| measured | new | before | verdict |", "|---|---|---|---|", ...rows].join("\n")]),
    ...(rest > 0 ? [`${rest} more not shown.`] : []),
    ...(errors.length === 0 ? [] : [`Not read: ${errors.join("; ").replace(/\.$/, "")}.`]),
  ];
}

/** The verdict of a metric; its reason if the numbers do not show it. */
function said(one: MetricVerdict, wording: Wording): string {
  if (one.is === "fine" && one.baseline !== "none") return IS.fine;
  const much = one.is === "worse" || one.is === "degraded" ? howMuchWorse(one) : undefined;
  const isSaid = much !== undefined && !one.why.includes("objective");
  const why = isSaid ? "" : foreignLine(one.why, wording, { table: true, maximum: 120 });
  return `${IS[one.is]}${much === undefined ? "" : `, ${much}`}${why === "" ? "" : `: ${why}`}`;
}

/** A value with its unit; a dash for none. */
export function metricValue(metric: string, value: number | undefined): string {
  if (value === undefined) return "–";
  if (metric === "errors") return `${inDigits(value * 100)} %`;
  if (metric.startsWith("latency_")) return `${inDigits(value)} ms`;
  return inDigits(value);
}
