import { scaleBand } from "d3-scale";
import { stack } from "d3-shape";
import { html } from "hono/html";
import type { Markup } from "../pages/layout.ts";
import { type Frame, heights, plotFrame, round, WIDE } from "./plot-frame.ts";

/** A layer of the plot: how it is drawn, and what it is called. */
export interface Layer {
  readonly mark: "hit" | "bad" | "rest";
  readonly called: string;
}

/** Numbers of some layers, one on top of the other, for each piece of time: the height of a bar is how many there are in all. */
export function stackedPlot(
  frame: Omit<Frame, "most">,
  marks: readonly Layer[],
  pieces: readonly (readonly number[])[],
): Markup {
  const most = Math.max(0, ...pieces.map((piece) => piece.reduce((sum, each) => sum + each, 0)));
  const x = scaleBand<number>().domain(pieces.keys()).range([0, WIDE]).paddingInner(0.25).paddingOuter(0.1);
  const { of } = heights(most);
  const layers = stack<readonly number[], number>()
    .keys(marks.keys())
    .value((piece, layer) => piece[layer] ?? 0)(pieces);
  const shapes = layers.flatMap((layer) =>
    layer.flatMap(([from, to], piece) => {
      const [top, bottom] = [of(to), of(from)];
      if (to <= from) return [];
      const at = `x="${round(x(piece) ?? 0)}" width="${round(x.bandwidth())}"`;
      return [`<rect class="${marks[layer.key]?.mark}" ${at} y="${top}" height="${round(bottom - top)}"/>`];
    }),
  );
  return html`${legend(marks)}${plotFrame({ ...frame, most }, shapes)}`;
}

/** What each layer is called: layers differ by more than their color. */
export function legend(layers: readonly Layer[]): Markup {
  return html`<ul class="legend">${layers.map(
    ({ mark, called }) =>
      html`<li><svg class="key" aria-hidden="true" focusable="false"><rect class="${mark}" x="10%" y="10%" width="80%" height="80%"/></svg> ${called}</li>`,
  )}</ul>`;
}
