import type { Grouping } from "../domain/metrics.ts";
import type { Arm } from "./observe-metrics.ts";

/** Hits of a share, or what a mean is made of, with how many; `other` is what a grouping counts besides. */
export interface Cell {
  readonly sum: number;
  readonly of: number;
  readonly other: number;
}

/** What cells are of: a metric, the same with memory or without, a name of a grouping, what a model's calls cost, how runs ended, or times of a length. */
export type CellKind = "metric" | Arm | Grouping | "cost" | "outcome" | "spread";

/** What was counted of one day in one repository, or of several together. */
export interface Counts {
  /** Of one name; a cell of zeros for a name without a count. */
  of(kind: CellKind, name: string): Cell;
  /** All names of a kind, those with the most counted first. */
  names(kind: CellKind): readonly (Cell & { readonly name: string })[];
}
