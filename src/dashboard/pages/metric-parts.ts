import { html } from "hono/html";
import type { Cell } from "../../learning/counts.ts";
import { daysText, fewText, METRICS_WORDS } from "../metrics-words.ts";
import { table } from "./data-table.ts";
import type { Markup } from "./layout.ts";

/** Days that a number is of. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** What a section of the page is made of: each metric has its numbers in words, its plot, and the same as a table. */
export interface MetricPart {
  /** An id of the page. */
  readonly id: string;
  readonly title: string;
  /** What is counted, and what is not. */
  readonly what?: string | undefined;
  /** Now, and in the days before where something was counted there. */
  readonly now: string;
  readonly before: string | undefined;
  /** What else is known of now. */
  readonly more?: string | undefined;
  /** What the number of now rests on. */
  readonly sample: Pick<Cell, "of">;
  readonly plot: Markup;
  /** Whether its plot needs the whole width. */
  readonly isBroad?: boolean;
  /** Absent where the plot is a table itself. */
  readonly table?: Markup;
}

export function metricPart({
  id,
  title,
  what,
  now,
  before,
  more,
  sample,
  plot,
  isBroad,
  table: numbers,
}: MetricPart): Markup {
  const few = fewText(sample);
  const isNothing = sample.of === 0;
  return html`<section class="${isBroad ? "metric broad" : "metric"}" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${what && html`<p class="facts">${what}</p>`}
<p class="number"><strong>${isNothing ? METRICS_WORDS.nothingHere : now}</strong>${before !== undefined && html` <span class="facts">${METRICS_WORDS.before} ${before}</span>`}</p>
${more && html`<p class="facts more">${more}</p>`}${few && html`<p class="facts few">${few}</p>`}
${!isNothing && html`${plot}${numbers && html`<details id="${id}-table"><summary>${METRICS_WORDS.table(title)}</summary>${numbers}</details>`}`}</section>`;
}

/** A table whose first column has names and whose other columns have numbers. */
export function numbersTable(
  what: string,
  heads: readonly string[],
  rows: readonly (readonly (Markup | string | number)[])[],
): Markup {
  return table({ of: "measures", label: METRICS_WORDS.table(what), heads, rows });
}

/** Rows by days, the latest first. Days without cells are left out. */
export function daysTable<P extends Days>(
  what: string,
  heads: readonly string[],
  pieces: readonly P[],
  cells: (piece: P) => readonly (string | number)[] | undefined,
): Markup {
  const rows = [...pieces].reverse().flatMap((piece) => {
    const told = cells(piece);
    return told ? [[daysText(piece), ...told]] : [];
  });
  return numbersTable(what, [METRICS_WORDS.day, ...heads], rows);
}
