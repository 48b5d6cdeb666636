import type { MetricVerdict, Verdict } from "../../../domain/samples.ts";
import { foreignCode, foreignLine, type Wording } from "../wording.ts";

/** What the judge says of a version, in words that follow "the new version is". */
export const VERDICT_WORDS: Readonly<Record<Verdict["is"], string>> = {
  better_or_equal: "as good as the one before",
  worse: "worse than the one before",
  cannot_tell: "not to be told yet",
};

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
  return Object.hasOwn(METRIC_WORDS, metric)
    ? (METRIC_WORDS[metric] ?? metric)
    : foreignCode(metric, wording, { table: true });
}

const IS: Readonly<Record<MetricVerdict["is"], string>> = {
  fine: "fine",
  degraded: "degraded",
  worse: "**worse**",
  cannot_tell: "cannot tell",
};

/** Rows that are shown; what decided comes first. */
const MAXIMUM_ROWS = 10;

/** What was compared, with its numbers: narrow enough for a phone. Nothing where nothing was. */
export function verdictTable({ metrics, sourceErrors }: Verdict, wording: Wording): string[] {
  const rows = metrics.slice(0, MAXIMUM_ROWS).map((one) => {
    const why = foreignLine(one.why, wording, { table: true, maximum: 120 });
    const times = one.ratio === undefined ? "" : `, ${number(one.ratio)} times`;
    const said = `${IS[one.is]}${times}${why === "" ? "" : `: ${why}`}`;
    return `| ${metricName(one.metric, wording)} | ${shown(one.metric, one.canary)} | ${shown(one.metric, one.control)} | ${said} |`;
  });
  const rest = metrics.length - rows.length;
  const errors = sourceErrors.slice(0, 3).map((error) => foreignLine(error, wording, { maximum: 160 }));
  return [
    ...(rows.length === 0 ? [] : [["| measured | new | before | verdict |", "|---|---|---|---|", ...rows].join("\n")]),
    ...(rest > 0 ? [`${rest} more not shown.`] : []),
    ...(errors.length === 0 ? [] : [`Not read: ${errors.join("; ").replace(/\.$/, "")}.`]),
  ];
}

function shown(metric: string, value: number | undefined): string {
  if (value === undefined) return "–";
  if (metric === "errors") return `${number(value * 100)} %`;
  if (metric.startsWith("latency_")) return `${number(value)} ms`;
  return number(value);
}

/** Three digits that count. */
function number(value: number): string {
  return value.toLocaleString("en-US", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
