import type { MetricName } from "../../domain/metrics.ts";
import type { MetricsReport } from "../../learning/follow-metrics.ts";
import { dayText, METRICS_WORDS, SHARES, shareText, wholeText } from "../metrics-words.ts";
import { stackedPlot } from "../plots/stacked-plot.ts";
import type { Markup } from "./layout.ts";
import { daysTable, metricPart } from "./metric-parts.ts";

/** A share over time, as counts: those that it is of, and how many of them are in it. */
export function sharePart(name: MetricName & keyof typeof SHARES, { pieces, now, before }: MetricsReport): Markup {
  const { title, what, hit, rest, of: one } = SHARES[name];
  const [here, earlier] = [now.counts.of("metric", name), before.counts.of("metric", name)];
  const cells = pieces.map(({ counts }) => counts.of("metric", name));
  const said = `${title}: ${shareText(here)}`;
  return metricPart({
    ...{ id: name, title, what, sample: here },
    now: `${shareText(here)} ${one}`,
    before: earlier.of === 0 ? undefined : shareText(earlier),
    plot: stackedPlot(
      { said, written: wholeText, ends: [dayText(now.from), dayText(now.to)] },
      [
        { mark: "hit", called: hit },
        { mark: "rest", called: rest },
      ],
      cells.map(({ sum, of }) => [sum, Math.max(0, of - sum)]),
    ),
    table: daysTable(title, [hit, rest, METRICS_WORDS.cases], pieces, ({ counts }) => {
      const { sum, of } = counts.of("metric", name);
      return sum + of === 0 ? undefined : [sum, Math.max(0, of - sum), of];
    }),
  });
}
