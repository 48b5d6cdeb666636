import { type ImportGraph, rankFiles } from "../analysis/map/import-graph.ts";

/** More than a dozen neighbours say more about the code base than about the task. */
const MOST_FILES = 12;

/**
 * Files of code that stand nearest to some others by their imports, nearest first: what an agent that is to change these would read next
 * (LOOP-2). None where nothing is known of the others.
 */
export function nearestFiles(graph: ImportGraph, focus: readonly string[]): string[] {
  const known = focus.filter((path) => graph.symbols.has(path));
  if (known.length === 0) return [];
  return [...rankFiles(graph, known)]
    .filter(([path, rank]) => rank > 0 && !focus.includes(path))
    .sort(([a, rankOfA], [b, rankOfB]) => rankOfB - rankOfA || (a < b ? -1 : 1))
    .slice(0, MOST_FILES)
    .map(([path]) => path);
}
