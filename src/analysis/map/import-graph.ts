import { posix } from "node:path";
import { takeTurns } from "../../workspace/files/turns.ts";
import type { OutlineResult, OutlineSymbol } from "../child/protocol.ts";
import { type OwnPackages, ownPlaces } from "./own-packages.ts";

/** Packages, and what programs make of sources. */
export const NO_SOURCE = /(?:^|\/)(?:node_modules|dist|build|coverage|vendor|\.next)\/|\.min\.[cm]?js$/;

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

/** An import takes 5 µs: some 5 ms. */
const TURN = { most: 1_000 };

/** Made while others have their turn: 5,000 files with ten imports each take a quarter of a second. */
export async function buildGraph(
  paths: readonly string[],
  outlines: ReadonlyMap<string, NonNullable<OutlineResult>>,
  unread: number,
  packages: OwnPackages = new Map(),
): Promise<ImportGraph> {
  const turn = takeTurns(TURN);
  const known = new Set(paths);
  const imports = new Map<string, Set<string>>();
  const importers = new Map<string, Set<string>>();
  const passesOn = new Map<string, Set<string>>();
  for (const [path, outline] of outlines) {
    for (const { specifier, passesOn: passed } of outline.imports) {
      await turn();
      const target = resolveImport(specifier, path, known, packages);
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

/** All that is reached from these, themselves among it, the nearest first. */
export function spread(from: readonly string[], next: (path: string) => Iterable<string>): Set<string> {
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

/** What begins and ends so stands there, with what is between in the place of `*`. */
export type ImportAliases = readonly {
  readonly before: string;
  readonly after: string;
  readonly targets: readonly string[];
}[];

const MOST_ALIASES = 50;

/** `paths` of a `tsconfig.json` at the root; none where it does not read as JSON without its comments. */
export function readAliases(text: string): ImportAliases {
  try {
    const plain = withoutLastCommas(text.replace(/^[ \t]*\/\/.*$/gm, ""));
    const options = Object((JSON.parse(plain) as { readonly compilerOptions?: unknown }).compilerOptions) as {
      readonly baseUrl?: unknown;
      readonly paths?: unknown;
    };
    const root = typeof options.baseUrl === "string" ? options.baseUrl : ".";
    return Object.entries(Object(options.paths))
      .slice(0, MOST_ALIASES)
      .flatMap(([name, targets]) => {
        const [before = "", after = ""] = name.split("*");
        const texts = (Array.isArray(targets) ? targets : []).filter(
          (each): each is string => typeof each === "string",
        );
        return [{ before, after, targets: texts.slice(0, 5).map((each) => posix.join(root, each)) }];
      });
  } catch {
    return [];
  }
}

/** Without the comma in front of a bracket that closes. The pattern fits at every comma, so that none of its text is looked at again. */
function withoutLastCommas(text: string): string {
  return text.replace(/,\s*([}\]]?)/g, (all, closing: string) => (closing === "" ? all : all.slice(1)));
}

/** Endings that an import may leave out, and what stands in the source for what will be built from it. */
const ENDINGS = ["", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json"];
const INDEXES = ["/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs"];
const BUILT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, [".ts", ".tsx"]],
  [/\.jsx$/, [".tsx"]],
  [/\.mjs$/, [".mts"]],
  [/\.cjs$/, [".cts"]],
];

/**
 * The file of this repository that an import means, by names alone; undefined for packages and for aliases that only a configuration
 * explains. `@/` and `~/` are tried below `src` and the root, as most projects mean them; packages of the repository itself are found by their
 * own names, as tests import them.
 */
export function resolveImport(
  specifier: string,
  importer: string,
  known: ReadonlySet<string>,
  packages: OwnPackages = new Map(),
  aliases: ImportAliases = [],
): string | undefined {
  if (importer.endsWith(".py") || importer.endsWith(".pyi")) return resolvePython(specifier, importer, known);
  const alias = /^[@~]\/(.+)$/.exec(specifier)?.[1];
  const named = aliases.flatMap(({ before, after, targets }) => {
    const fits = specifier.startsWith(before) && specifier.endsWith(after);
    const star = fits ? specifier.slice(before.length, specifier.length - after.length) : "";
    return fits ? targets.map((target) => posix.normalize(target.replace("*", () => star))) : [];
  });
  const bases = specifier.startsWith(".")
    ? [posix.join(posix.dirname(importer), specifier)]
    : [...named, ...(alias !== undefined ? [`src/${alias}`, alias] : ownPlaces(specifier, packages))];
  for (const base of bases) {
    const built = BUILT.flatMap(([ending, sources]) =>
      ending.test(base) ? sources.map((source) => base.replace(ending, source)) : [],
    );
    const candidates = [...ENDINGS.map((ending) => base + ending), ...built, ...INDEXES.map((index) => base + index)];
    const found = candidates.find((candidate) => known.has(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

function resolvePython(specifier: string, importer: string, known: ReadonlySet<string>): string | undefined {
  const [, dots = "", rest = ""] = /^(\.*)([^.].*)?$/.exec(specifier) ?? [];
  let folder = posix.dirname(importer);
  for (let up = 1; up < dots.length; up += 1) folder = posix.dirname(folder);
  const path = rest.replaceAll(".", "/");
  const roots = dots === "" ? ["", "src", folder] : [folder];
  for (const root of roots) {
    const base = posix.join(root, path);
    const found = [`${base}.py`, `${base}/__init__.py`].find((candidate) => known.has(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}
