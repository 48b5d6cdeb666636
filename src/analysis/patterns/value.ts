import type { ForeignStep } from "./file-summary.ts";
import type { Names } from "./names.ts";
import type { Binding, Node } from "./node.ts";
import { type Cleaner, DANGERS, type Danger, type Source } from "./row.ts";

/** How near an origin is to somebody foreign. */
export const UNKNOWN = 1;
export const PARAMETER = 2;
export const FOREIGN = 3;

/** One step of the way, the last first. */
export interface Step {
  readonly node: Node;
  readonly before: Step | undefined;
}

/** Something that a value is made of, and that is not constant. */
export interface Origin {
  readonly reach: 1 | 2 | 3;
  readonly source?: Source;
  /** Where it comes in, and how that reads. */
  readonly node: Node;
  readonly label: string;
  /** Two origins of one key are the same input: what guards one guards the other. */
  readonly key: string;
  /** Bits of the dangers for which it was made harmless. */
  readonly clean: number;
  readonly steps: Step | undefined;
  /** False where the way leads through a function that cannot be read here. */
  readonly sure: boolean;
  /** Other text stands beside it. */
  readonly joined: boolean;
  /** Went through `path.resolve` or the like. */
  readonly resolved?: true;
  readonly parameter?: Binding;
  /** A file that the server has taken in: `req.file`, not a text of that name. */
  readonly upload?: true;
  /** Where it was before it came into this file. */
  readonly came?: readonly ForeignStep[];
}
export type Value = readonly Origin[];

/** Who follows values. */
export interface Values {
  readonly names: Names;
  valueOf(node: Node | null | undefined): Value;
  /** How a node reads, on one line, cut. */
  label(node: Node): string;
}

/** The follower of values, as the parts see it that follow names and calls. */
export interface Following extends Values {
  valueOf(node: Node | null | undefined, depth?: number): Value;
  /** What a function gives back, in terms of its parameters. */
  returnsOf(fn: Node, depth: number): Value;
  guarded(value: Value, at: Node): Value;
  sourceOf(node: Node): Source | undefined;
  /** As `sourceOf`, by the path of a name. */
  sourceAt(path: string): Source | undefined;
  cleanerAt(path: string): Cleaner | undefined;
  /** @param path of the source, where it is not that of the node */
  originOf(node: Node, source: Source, label?: string, path?: string): Origin;
}

export const NOTHING: Value = [];
export const ALL_CLEAN = 2 ** DANGERS.length - 1;

export function bitOf(danger: Danger): number {
  return 1 << DANGERS.indexOf(danger);
}

export function bitsOf(dangers: readonly Danger[] | "all"): number {
  return dangers === "all" ? ALL_CLEAN : dangers.reduce((bits, danger) => bits | bitOf(danger), 0);
}

const MOST_ORIGINS = 8;

export function join(values: readonly Value[]): Value {
  const filled = values.filter((value) => value.length > 0);
  if (filled.length <= 1) return filled[0] ?? NOTHING;
  const byKey = new Map<string, Origin>();
  for (const value of filled) {
    for (const origin of value) {
      const known = byKey.get(origin.key);
      if (known === undefined) {
        if (byKey.size >= MOST_ORIGINS) {
          if (origin.reach < FOREIGN) continue;
          const weaker = [...byKey.values()].find(({ reach }) => reach < FOREIGN);
          if (weaker === undefined) continue;
          byKey.delete(weaker.key);
        }
        byKey.set(origin.key, origin);
      } else if (known !== origin) {
        const worse = (known.clean & ALL_CLEAN) !== 0 && origin.clean === 0 ? origin : known;
        byKey.set(origin.key, {
          ...worse,
          clean: known.clean & origin.clean,
          joined: known.joined || origin.joined,
          sure: known.sure || origin.sure,
        });
      }
    }
  }
  return [...byKey.values()];
}

/** Input as it comes in, by whatever name. */
export function beginning(
  { reach, node, label, key }: Pick<Origin, "reach" | "node" | "label" | "key">,
  more: Partial<Origin> = {},
): Origin {
  return { reach, node, label, key, clean: 0, steps: undefined, sure: true, joined: false, ...more };
}

/** What comes out of a call of a function, with what is done to it there. */
export function through(
  value: Value,
  { clean, joined, sure, resolved }: Pick<Origin, "clean" | "joined" | "sure" | "resolved">,
  call: Node,
): Value {
  return value.map((each) => ({
    ...each,
    clean: each.clean | clean,
    joined: each.joined || joined,
    sure: each.sure && sure,
    ...(resolved ? { resolved } : {}),
    steps: { node: call, before: each.steps },
  }));
}

export function cleaned(value: Value, bits: number): Value {
  return bits === 0 || value.length === 0 ? value : value.map((each) => ({ ...each, clean: each.clean | bits }));
}

export function stepped(value: Value, node: Node): Value {
  return value.length === 0 ? value : value.map((each) => ({ ...each, steps: { node, before: each.steps } }));
}

/** Steps of a helper behind those that led to it; of long ways only the nearest. */
export function appended(steps: Step | undefined, before: Step, depth = 0): Step {
  return steps === undefined || depth > 20
    ? before
    : { node: steps.node, before: appended(steps.before, before, depth + 1) };
}
