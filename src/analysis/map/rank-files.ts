import type { ImportGraph } from "./import-graph.ts";

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
