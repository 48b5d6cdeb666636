import { html } from "hono/html";
import { count } from "../../github/words/wording.ts";
import type { Cell } from "../../learning/counts.ts";
import type { MetricsReport } from "../../learning/follow-metrics.ts";
import { ENDS, METRICS_WORDS } from "../metrics-words.ts";
import { barCell } from "../plots/bar-cell.ts";
import type { Markup } from "./layout.ts";
import { metricPart, numbersTable } from "./metric-parts.ts";

/** How runs ended: a bar for each end, with its numbers in the same row. */
export function endsPart({ now, before }: MetricsReport): Markup {
  const ends = now.counts.names("outcome");
  const most = Math.max(0, ...ends.map(({ of }) => of));
  const [here, earlier] = [totalOf(ends), totalOf(before.counts.names("outcome"))];
  const words: Readonly<Record<string, string>> = ENDS.words;
  const rows = ends.map(({ name, of }) => [
    words[name] ?? name,
    barCell(most, [["hit", of]]),
    of,
    before.counts.of("outcome", name).of,
  ]);
  return metricPart({
    ...{ id: "ends", title: ENDS.title, sample: { of: here }, now: count(here, "run") },
    before: earlier === 0 ? undefined : count(earlier, "run"),
    plot: html`${numbersTable(ENDS.title, [ENDS.one, METRICS_WORDS.bar, ENDS.runs, ENDS.before], rows)}`,
  });
}

function totalOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { of }) => sum + of, 0);
}
