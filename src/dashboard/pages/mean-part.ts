import { METRICS, type MetricName } from "../../domain/metrics.ts";
import { meanText } from "../../github/words/command/metrics-text.ts";
import type { MetricsReport } from "../../learning/follow-metrics.ts";
import { secondsWithin } from "../../learning/spread.ts";
import { axisOf, dayText, MEANS, METRICS_WORDS, meanOfText, spreadText } from "../metrics-words.ts";
import { linePlot } from "../plots/line-plot.ts";
import type { Markup } from "./layout.ts";
import { daysTable, metricPart } from "./metric-parts.ts";

/** A mean over time: a line with a point for each piece of time in which something was counted. */
export function meanPart(name: MetricName & keyof typeof MEANS, { pieces, now, before }: MetricsReport): Markup {
  const { title, what, one } = MEANS[name];
  const { unit } = METRICS[name];
  const [here, earlier] = [now.counts.of("metric", name), before.counts.of("metric", name)];
  const told = meanOfText(unit, here, one);
  const means = pieces.map(({ counts }) => meanOf(counts.of("metric", name)));
  const { by, written } = axisOf(unit, Math.max(0, ...means.map((mean) => mean ?? 0)));
  return metricPart({
    ...{
      id: name,
      title,
      what,
      sample: here,
      now: told,
      more: unit === "seconds" ? spreadOf(name, now, here.of) : undefined,
    },
    before: earlier.of === 0 ? undefined : meanOfText(unit, earlier, one),
    plot: linePlot(
      { said: `${title}: ${told}`, written, ends: [dayText(now.from), dayText(now.to)] },
      means.map((mean) => mean && mean / by),
    ),
    table: daysTable(title, [METRICS_WORDS.mean, METRICS_WORDS.cases], pieces, ({ counts }) => {
      const cell = counts.of("metric", name);
      const mean = meanOf(cell);
      return mean === undefined ? undefined : [meanText(unit, mean), cell.of];
    }),
  });
}

function spreadOf(name: MetricName, { counts }: MetricsReport["now"], of: number): string | undefined {
  const [half, most] = [secondsWithin(counts, name, 0.5), secondsWithin(counts, name, 0.9)];
  return half === undefined || most === undefined ? undefined : spreadText(half, most, of);
}

function meanOf({ sum, of }: { readonly sum: number; readonly of: number }): number | undefined {
  return of === 0 ? undefined : sum / of;
}
