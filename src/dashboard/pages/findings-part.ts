import type { Counts } from "../../learning/counts.ts";
import type { MetricsReport } from "../../learning/follow-metrics.ts";
import { dayText, FINDINGS, METRICS_WORDS, wholeText } from "../metrics-words.ts";
import { stackedPlot } from "../plots/stacked-plot.ts";
import type { Markup } from "./layout.ts";
import { daysTable, metricPart } from "./metric-parts.ts";

/** What became of findings by the time their pull request was merged, over time. */
export function findingsPart({ pieces, now, before }: MetricsReport): Markup {
  const { title, what, fixed, dismissed, left } = FINDINGS;
  const [here, earlier] = [outcomesOf(now.counts), outcomesOf(before.counts)];
  const said = (of: ReturnType<typeof outcomesOf>) => FINDINGS.said(of.fixed, of.dismissed, of.of);
  return metricPart({
    ...{ id: "findings", title, what, sample: here, now: said(here) },
    before: earlier.of === 0 ? undefined : said(earlier),
    plot: stackedPlot(
      { said: `${title}: ${said(here)}`, written: wholeText, ends: [dayText(now.from), dayText(now.to)] },
      [
        { mark: "hit", called: fixed },
        { mark: "bad", called: dismissed },
        { mark: "rest", called: left },
      ],
      pieces.map(({ counts }) => {
        const one = outcomesOf(counts);
        return [one.fixed, one.dismissed, one.left];
      }),
    ),
    table: daysTable(title, [fixed, dismissed, left, METRICS_WORDS.cases], pieces, ({ counts }) => {
      const one = outcomesOf(counts);
      return one.of === 0 ? undefined : [one.fixed, one.dismissed, one.left, one.of];
    }),
  });
}

function outcomesOf(counts: Counts) {
  const { sum: fixed, of } = counts.of("metric", "resolved");
  const { sum: dismissed } = counts.of("metric", "dismissed");
  return { fixed, dismissed, left: Math.max(0, of - fixed - dismissed), of };
}
