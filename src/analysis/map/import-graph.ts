import { takeTurns } from "../../workspace/files/turns.ts";
import type { OutlineResult, OutlineSymbol } from "../child/protocol.ts";
import type { Importable } from "../imports/import-settings.ts";
import { resolveImports } from "../imports/resolve-imports.ts";
import type { ResolvePlace } from "../imports/resolved-imports.ts";
import { spread } from "./spread.ts";

/** Packages, and what programs make of sources. */
export const NO_SOURCE = /(?:^|\/)(?:node_modules|dist|build|coverage|vendor|\.next)\/|\.min\.[cm]?js$/;

/** What the files of a repository declare, and which of them import which. */
export interface ImportGraph extends Importable {
  /** Of the files that were parsed. */
  readonly symbols: ReadonlyMap<string, readonly OutlineSymbol[]>;
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Files that pass on what they import from these. */
  readonly passesOn: ReadonlyMap<string, ReadonlySet<string>>;
  /** Modules that look like the repository's own and were not found, by the files that ask for them. */
  readonly unresolved: ReadonlyMap<string, readonly string[]>;
  /** Files with code of a language that is read here, which were not. */
  readonly unread: number;
}

/** An import takes 5 µs: some 5 ms. */
const TURN = { most: 1_000 };

/**
 * Made while others have their turn: 5,000 files with ten imports each take a quarter of a second, and as long in a child.
 * @throws ForgeError `analyser_unavailable` when the child that looks imports up does not start
 */
export async function buildGraph(
  importable: Importable,
  outlines: ReadonlyMap<string, NonNullable<OutlineResult>>,
  unread: number,
  place: ResolvePlace,
): Promise<ImportGraph> {
  const turn = takeTurns(TURN);
  const asked = [...outlines].map(([path, { imports }]) => ({
    path,
    modules: new Set(imports.map(({ specifier }) => specifier)),
  }));
  const resolved = await resolveImports(asked, importable, place);
  const imports = new Map<string, Set<string>>();
  const importers = new Map<string, Set<string>>();
  const passesOn = new Map<string, Set<string>>();
  const unresolved = new Map<string, readonly string[]>();
  for (const [path, outline] of outlines) {
    const found = resolved.get(path);
    if (found !== undefined && found.lost.length > 0) unresolved.set(path, found.lost);
    for (const { specifier, passesOn: passed } of outline.imports) {
      await turn();
      for (const target of found?.targets.get(specifier) ?? []) {
        if (target === path) continue;
        addTo(imports, path, target);
        addTo(importers, target, path);
        if (passed) addTo(passesOn, path, target);
      }
    }
  }
  const symbols = new Map([...outlines].map(([path, outline]) => [path, outline.symbols]));
  return { ...importable, symbols, imports, importers, passesOn, unresolved, unread };
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

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

const DAMPING = 0.85;
const ROUNDS = 30;
/** Who is imported explains a file better than who imports it. */
const BACKWARDS = 0.4;

/**
 * How near each file is to the focus, by the imports between them: personalised PageRank, in which a walker starts at a file of the focus,
 * follows imports in both directions and now and then starts anew. Without a focus all files are one.
 */
export function rankFiles(graph: ImportGraph, focus: readonly string[]): Map<string, number> {
  const paths = [...graph.symbols.keys()];
  const index = new Map(paths.map((path, at) => [path, at]));
  const starts = focus.flatMap((path) => index.get(path) ?? []);
  const start = new Float64Array(paths.length).fill(starts.length === 0 ? 1 / paths.length : 0);
  for (const at of starts) start[at] = 1 / starts.length;

  const links = paths.map((path) => {
    const forwards = [...(graph.imports.get(path) ?? [])].map((each) => [index.get(each), 1] as const);
    const backwards = [...(graph.importers.get(path) ?? [])].map((each) => [index.get(each), BACKWARDS] as const);
    const outgoing = [...forwards, ...backwards].flatMap(([to, weight]) => (to === undefined ? [] : [{ to, weight }]));
    const total = outgoing.reduce((sum, { weight }) => sum + weight, 0);
    return outgoing.map(({ to, weight }) => ({ to, part: weight / total }));
  });
  let rank = start;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(paths.length);
    // Walkers start anew now and then, and always at a file without links.
    let anew = 1 - DAMPING;
    links.forEach((outgoing, at) => {
      const flow = DAMPING * rank[at]!;
      if (outgoing.length === 0) anew += flow;
      for (const { to, part } of outgoing) next[to]! += flow * part;
    });
    rank = next.map((reached, at) => reached + anew * start[at]!);
  }
  return new Map(paths.map((path, at) => [path, rank[at] ?? 0]));
}
