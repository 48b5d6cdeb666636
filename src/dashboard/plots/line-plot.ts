import { scalePoint } from "d3-scale";
import { line } from "d3-shape";
import type { Markup } from "../pages/layout.ts";
import { type Frame, heights, plotFrame, round, WIDE } from "./plot-frame.ts";

/** One value for each piece of time, and none where nothing was counted: a line ends there and does not go through nothing. */
export function linePlot(frame: Omit<Frame, "most">, values: readonly (number | undefined)[]): Markup {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  const x = scalePoint<number>().domain(values.keys()).range([0, WIDE]).padding(0.5);
  const { of } = heights(most);
  const at = (piece: number) => round(x(piece) ?? 0);
  const path = line<number | undefined>()
    .defined((value) => value !== undefined)
    .x((_, piece) => at(piece))
    .y((value) => of(value ?? 0))(values);
  // A line without length has round ends, which are not stretched with the plot: a dot.
  const dots = values.flatMap((value, piece) =>
    value === undefined ? [] : [`<path class="dot" d="M${at(piece)},${of(value)}h0"/>`],
  );
  return plotFrame({ ...frame, most }, [`<path class="line" d="${path ?? ""}"/>`, ...dots]);
}
