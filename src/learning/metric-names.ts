import type { Cell, CellKind, Counts } from "./counts.ts";
import type { Cells } from "./metric-cells.ts";

/** Names that all days and repositories share; those beyond are counted as "others". */
const MOST_NAMES = 50_000;
/** What names beyond a limit are counted as. */
export const OTHERS = "others";
const EMPTY: Cell = { sum: 0, of: 0, other: 0 };

/** A name of a cell, with its kind. */
export interface NamedKind {
  readonly kind: CellKind;
  readonly name: string;
}

/** Gives each name a number, by which `all` has it. */
export function startNames() {
  const all: NamedKind[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (kind: CellKind, name: string): number => {
    const key = `${kind} ${name}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (all.length >= MOST_NAMES && name !== OTHERS) return numberOf(kind, OTHERS);
    numbers.set(key, all.length);
    return all.push({ kind, name }) - 1;
  };
  return { all: all as readonly NamedKind[], numberOf };
}

/** Cells with their names in place of numbers. */
export function countsOf(cells: Cells, all: readonly NamedKind[]): Counts {
  const named = [...cells].map(([number, cell]) => ({ ...cell, ...all[number]! }));
  const byKey = new Map(named.map((cell) => [`${cell.kind} ${cell.name}`, cell]));
  return {
    of: (kind, name) => {
      const { sum, of, other } = byKey.get(`${kind} ${name}`) ?? EMPTY;
      return { sum, of, other };
    },
    names: (kind) =>
      named
        .filter((cell) => cell.kind === kind)
        .map(({ name, sum, of, other }) => ({ name, sum, of, other }))
        .sort((a, b) => b.of - a.of || (a.name < b.name ? -1 : 1)),
  };
}
