import { html } from "hono/html";
import { METRIC_NAMES } from "../../domain/metrics.ts";
import { metricRow } from "../../github/words/command/metrics-text.ts";
import type { MetricsReport } from "../../learning/follow-metrics.ts";
import { ALL_METRICS } from "../metrics-words.ts";
import type { Markup } from "./layout.ts";
import { numbersTable } from "./metric-parts.ts";

/** Every metric that has a sample, now and before, with its goal: the same numbers as those of `/forge metrics`, in the days of the page. */
export function allMetricsPart({ now, before }: MetricsReport): Markup {
  const { title, metric, now: here, before: earlier, goal } = ALL_METRICS;
  const rows = METRIC_NAMES.flatMap((name) => {
    const trend = { now: now.counts.of("metric", name), before: before.counts.of("metric", name) };
    const isTold = [trend.now, trend.before].some(({ sum, of }) => sum + of > 0);
    return isTold ? [metricRow(name, trend)] : [];
  });
  return html`<section class="metric broad" id="all" aria-labelledby="all-title"><h2 id="all-title">${title}</h2>
${numbersTable(title, [metric, here, earlier, goal], rows)}</section>`;
}
