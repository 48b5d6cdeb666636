import type { OutlineResult, OutlineSymbol } from "../child/protocol.ts";
import { resolveImport } from "./resolve-import.ts";

/** What the files of a repository declare, and which of them import which. */
export interface ImportGraph {
  /** All files, sorted. */
  readonly paths: readonly string[];
  /** Of the files that were parsed. */
  readonly symbols: ReadonlyMap<string, readonly OutlineSymbol[]>;
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files that pass on what they import from these. */
  readonly passesOn: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files with code of a language that is read here, which were not. */
  readonly unread: number;
}

export function buildGraph(
  paths: readonly string[],
  outlines: ReadonlyMap<string, NonNullable<OutlineResult>>,
  unread: number,
): ImportGraph {
  const known = new Set(paths);
  const imports = new Map<string, Set<string>>();
  const importers = new Map<string, Set<string>>();
  const passesOn = new Map<string, Set<string>>();
  for (const [path, outline] of outlines) {
    for (const { specifier, passesOn: passed } of outline.imports) {
      const target = resolveImport(specifier, path, known);
      if (target === undefined || target === path) continue;
      addTo(imports, path, target);
      addTo(importers, target, path);
      if (passed) addTo(passesOn, path, target);
    }
  }
  const symbols = new Map([...outlines].map(([path, outline]) => [path, outline.symbols]));
  return { paths, symbols, imports, importers, passesOn, unread };
}

/** The files and all that import them, directly or through others. */
export function dependents(graph: ImportGraph, paths: readonly string[]): Set<string> {
  return spread(paths, (path) => graph.importers.get(path) ?? []);
}

/** Files in which a name that a file exports can be meant: the file, its importers, and theirs where it is passed on. */
export function reach(graph: ImportGraph, path: string): Set<string> {
  const reached = new Set([path]);
  const sources = spread([path], (source) =>
    [...(graph.importers.get(source) ?? [])].filter((importer) => graph.passesOn.get(importer)?.has(source)),
  );
  for (const source of sources) {
    for (const importer of graph.importers.get(source) ?? []) reached.add(importer);
  }
  return reached;
}

function spread(from: readonly string[], next: (path: string) => Iterable<string>): Set<string> {
  const reached = new Set(from);
  // A set gives what is added while it is walked.
  for (const path of reached) for (const each of next(path)) reached.add(each);
  return reached;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}
