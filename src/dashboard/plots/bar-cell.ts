import { scaleLinear } from "d3-scale";
import { html } from "hono/html";
import type { Markup } from "../pages/layout.ts";
import { round } from "./plot-frame.ts";
import type { Layer } from "./stacked-plot.ts";

/** A bar in a cell of a table, whose other cells have its numbers. `most`: the value that fills the cell. */
export function barCell(most: number, parts: readonly (readonly [mark: Layer["mark"], value: number])[]): Markup {
  const x = scaleLinear()
    .domain([0, most > 0 ? most : 1])
    .range([0, 100]);
  let from = 0;
  const shapes = parts.map(([mark, value]) => {
    const at = from;
    from += value;
    return (
      value > 0 && html`<rect class="${mark}" x="${round(x(at))}%" width="${round(x(value))}%" y="1" height="10"/>`
    );
  });
  return html`<svg class="bars" aria-hidden="true" focusable="false">${shapes}</svg>`;
}
