import { html } from "hono/html";
import { METRIC_NAMES, METRICS } from "../../domain/metrics.ts";
import { LABELS, tallyText } from "../../github/words/command/metrics-text.ts";
import type { Cell } from "../../learning/counts.ts";
import type { MetricsReport } from "../../learning/follow-metrics.ts";
import { MEMORY, METRICS_WORDS } from "../metrics-words.ts";
import { barCell } from "../plots/bar-cell.ts";
import { legend } from "../plots/stacked-plot.ts";
import type { Markup } from "./layout.ts";
import { metricPart, numbersTable } from "./metric-parts.ts";

/** The same metrics of runs with memory and of those without: what memory is worth (MEM-6). Each row has two bars on one scale. */
export function memoryPart({ now, before }: MetricsReport): Markup {
  const { title, what } = MEMORY;
  const names = METRIC_NAMES.filter((name) => now.counts.of("with", name).of + now.counts.of("without", name).of > 0);
  const rows = names.map((name) => {
    const [given, without] = [now.counts.of("with", name), now.counts.of("without", name)];
    const most = Math.max(meanOf(given), meanOf(without));
    return [
      LABELS[name],
      html`${barCell(most, [["hit", meanOf(given)]])}${barCell(most, [["rest", meanOf(without)]])}`,
      tallyText(METRICS[name], given),
      tallyText(METRICS[name], without),
    ];
  });
  const runs = ({ counts }: MetricsReport["now"]) =>
    [counts.of("with", "cost_of_run").of, counts.of("without", "cost_of_run").of] as const;
  const [here, earlier] = [runs(now), runs(before)];
  return metricPart({
    ...{ id: "memory", title, what, now: MEMORY.said(...here) },
    // The smaller arm decides what can be said.
    sample: { of: here[0] + here[1] === 0 ? 0 : Math.max(1, Math.min(...here)) },
    before: earlier[0] + earlier[1] === 0 ? undefined : MEMORY.said(...earlier),
    plot: html`${legend([
      { mark: "hit", called: MEMORY.with },
      { mark: "rest", called: MEMORY.without },
    ])}${numbersTable(title, [MEMORY.metric, METRICS_WORDS.bar, MEMORY.with, MEMORY.without], rows)}`,
  });
}

function meanOf({ sum, of }: Cell): number {
  return of === 0 ? 0 : sum / of;
}
