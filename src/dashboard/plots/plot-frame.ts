import { scaleLinear } from "d3-scale";
import { html, raw } from "hono/html";
import type { Markup } from "../pages/layout.ts";

/** The size of a plot in its own units. The browser stretches it to the page, so its labels are HTML around it. */
export const WIDE = 100;
export const HIGH = 100;

export interface Frame {
  /** What the plot shows, for people who do not see it: a sentence with its numbers. */
  readonly said: string;
  /** The largest value that is drawn. */
  readonly most: number;
  /** How a value of the axis is written. */
  readonly written: (value: number) => string;
  /** What the left and the right end of the plot are. */
  readonly ends: readonly [first: string, last: string];
}

/** Where a value is drawn, from the bottom up, on an axis from 0 that ends at a round number. */
export function heights(most: number): { readonly of: (value: number) => number; readonly ticks: readonly number[] } {
  const scale = scaleLinear()
    .domain([0, most > 0 ? most : 1])
    .nice(2)
    .range([HIGH, 0]);
  return { of: (value) => round(scale(value)), ticks: scale.ticks(2) };
}

/** A plot with its axes. Its shapes are attributes of SVG and classes of the style sheet: the policy of the pages lets no style in. */
export function plotFrame({ said, most, written, ends }: Frame, shapes: readonly string[]): Markup {
  const { of, ticks } = heights(most);
  const lines = ticks.map((tick) => `<line class="grid" x1="0" x2="${WIDE}" y1="${of(tick)}" y2="${of(tick)}"/>`);
  // Numbers alone, and classes of ours: nothing of others gets into the markup here.
  const drawn = raw([...lines, ...shapes].join(""));
  return html`<div class="plot"><p class="axis" aria-hidden="true">${[...ticks]
    .reverse()
    .map(
      (tick) => html`<span>${written(tick)}</span>`,
    )}</p><svg viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none" role="img" aria-label="${said}">${drawn}</svg>
<p class="ends" aria-hidden="true"><span>${ends[0]}</span><span>${ends[1]}</span></p></div>`;
}

/** Short enough for an attribute. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
