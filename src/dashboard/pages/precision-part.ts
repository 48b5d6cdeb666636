import { html } from "hono/html";
import type { Cell } from "../../learning/counts.ts";
import type { MetricsReport } from "../../learning/follow-metrics.ts";
import { FINDINGS, METRICS_WORDS, PRECISION, PRECISION_WORDS, shareText } from "../metrics-words.ts";
import { barCell } from "../plots/bar-cell.ts";
import { legend } from "../plots/stacked-plot.ts";
import { type Markup, shown } from "./layout.ts";
import { metricPart, numbersTable } from "./metric-parts.ts";

/** Names that are shown, those with the most findings first; the others are counted. */
const MOST_SHOWN = 20;

/** How many findings nobody dismissed, by what they came from: a bar for each name, with its numbers in the same row. */
export function precisionPart(by: keyof typeof PRECISION, { now, before }: MetricsReport): Markup {
  const { title, one } = PRECISION[by];
  // A model that was asked and whose claims became no finding has calls alone.
  const names = now.counts.names(by).filter(({ of }) => of > 0);
  const [top, rest] = [names.slice(0, MOST_SHOWN), names.slice(MOST_SHOWN)];
  const all = totalOf(names);
  const earlier = totalOf(before.counts.names(by));
  const most = Math.max(0, ...top.map(({ of }) => of));
  const rows = top.map(({ name, sum, of, other }) => [
    html`<code>${shown(name, 80)}</code>`,
    barCell(most, [
      ["hit", sum],
      ["bad", other],
      ["rest", Math.max(0, of - sum - other)],
    ]),
    shareText({ sum: of - other, of }),
    ...[sum, other, Math.max(0, of - sum - other), of],
  ]);
  const { fixed, dismissed, left } = FINDINGS;
  const heads = [one, METRICS_WORDS.bar, PRECISION_WORDS.kept, fixed, dismissed, left, METRICS_WORDS.cases];
  return metricPart({
    ...{ id: `precision-${by}`, title, what: PRECISION_WORDS.what, sample: all, isBroad: true },
    now: shareText({ sum: all.of - all.other, of: all.of }),
    before: earlier.of === 0 ? undefined : shareText({ sum: earlier.of - earlier.other, of: earlier.of }),
    plot: html`${legend([
      { mark: "hit", called: fixed },
      { mark: "bad", called: dismissed },
      { mark: "rest", called: left },
    ])}${numbersTable(title, heads, rows)}${
      rest.length > 0 && html`<p class="facts">${PRECISION_WORDS.more(rest.length, totalOf(rest).of)}</p>`
    }`,
  });
}

function totalOf(cells: readonly Cell[]): Pick<Cell, "of" | "other"> {
  return { of: cells.reduce((sum, { of }) => sum + of, 0), other: cells.reduce((sum, { other }) => sum + other, 0) };
}
