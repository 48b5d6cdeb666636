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
    return [...forwards, ...backwards].flatMap(([to, weight]) => (to === undefined ? [] : [{ to, weight }]));
  });
  let rank = start;
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = start.map((share) => share * (1 - DAMPING));
    for (const [at, outgoing] of links.entries()) {
      const flow = DAMPING * (rank[at] ?? 0);
      const total = outgoing.reduce((sum, { weight }) => sum + weight, 0);
      for (const { to, weight } of outgoing) next[to] = (next[to] ?? 0) + (flow * weight) / total;
      // A file without links sends its walkers back to the start.
      if (total === 0) for (const [to, share] of start.entries()) next[to] = (next[to] ?? 0) + flow * share;
    }
    rank = next;
  }
  return new Map(paths.map((path, at) => [path, rank[at] ?? 0]));
}
