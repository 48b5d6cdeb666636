import type { ImportGraph } from "../../map/import-graph.ts";

/** What the selection of tests asks of a graph. */
export type SelectionGraph = Pick<ImportGraph, "paths" | "imports" | "importers" | "unresolved">;

/**
 * A repository as a thread gets it. Long strings and arrays of numbers are copied within a millisecond; maps of 200,000 imports hold the
 * thread that sends them for a third of a second.
 */
export interface PackedRepository {
  /** Joined by `SEPARATOR`; the numbers below mean one of them. */
  readonly paths: string;
  /** Pairs: who imports, and what. */
  readonly imports: Uint32Array<ArrayBuffer>;
  /** Who has imports that lead nowhere, and the first of these of each, joined by `SEPARATOR`. */
  readonly unresolved: Uint32Array<ArrayBuffer>;
  readonly lost: string;
  /** Pairs: a file, and where its text ends in `bytes`. */
  readonly texts: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Files that can hold text and were not read. */
  readonly unread: Uint32Array<ArrayBuffer>;
  /** There is more text than is read. */
  readonly isCut: boolean;
}

/** No path has it. */
export const SEPARATOR = "\0";

export interface Repository {
  readonly graph: SelectionGraph;
  /** Each text is decoded when its turn comes. */
  readonly texts: () => IteratorObject<readonly [path: string, text: string]>;
  readonly unread: readonly string[];
  readonly isCut: boolean;
}

export function unpackRepository(packed: PackedRepository): Repository {
  const paths = packed.paths === "" ? [] : packed.paths.split(SEPARATOR);
  const pathOf = (at: number) => paths[at] ?? "";
  const [imports, importers] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const [from, to] of pairs(packed.imports)) {
    addTo(imports, pathOf(from), pathOf(to));
    addTo(importers, pathOf(to), pathOf(from));
  }
  const lost = packed.lost.split(SEPARATOR);
  const unresolved = new Map([...packed.unresolved].map((path, at) => [pathOf(path), [lost[at] ?? ""]]));
  const bytes = Buffer.from(packed.bytes.buffer);
  function* texts(): Generator<readonly [path: string, text: string]> {
    let start = 0;
    for (const [at, end] of pairs(packed.texts)) {
      yield [pathOf(at), bytes.toString("utf8", start, end)];
      start = end;
    }
  }
  const unread = [...packed.unread].map(pathOf);
  return { graph: { paths, imports, importers, unresolved }, texts, unread, isCut: packed.isCut };
}

function* pairs(numbers: Uint32Array): Generator<readonly [first: number, second: number]> {
  for (let at = 0; at + 1 < numbers.length; at += 2) yield [numbers[at] ?? 0, numbers[at + 1] ?? 0];
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}
