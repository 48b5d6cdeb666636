import { scaleBand } from "d3-scale";
import { stack } from "d3-shape";
import type { Markup } from "../pages/layout.ts";
import { type Frame, heights, plotFrame, round, WIDE } from "./plot-frame.ts";

/** Numbers of some classes, one on top of the other, for each piece of time: the height of a bar is how many there are in all. */
export function stackedPlot(
  frame: Omit<Frame, "most">,
  classes: readonly string[],
  pieces: readonly (readonly number[])[],
): Markup {
  const most = Math.max(0, ...pieces.map((piece) => piece.reduce((sum, each) => sum + each, 0)));
  const x = scaleBand<number>().domain(pieces.keys()).range([0, WIDE]).paddingInner(0.25).paddingOuter(0.1);
  const { of } = heights(most);
  const layers = stack<readonly number[], number>()
    .keys(classes.keys())
    .value((piece, layer) => piece[layer] ?? 0)(pieces);
  const shapes = layers.flatMap((layer) =>
    layer.flatMap(([from, to], piece) => {
      const [top, bottom] = [of(to), of(from)];
      if (to <= from) return [];
      const at = `x="${round(x(piece) ?? 0)}" width="${round(x.bandwidth())}"`;
      return [`<rect class="${classes[layer.key]}" ${at} y="${top}" height="${round(bottom - top)}"/>`];
    }),
  );
  return plotFrame({ ...frame, most }, shapes);
}
