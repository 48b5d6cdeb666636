import { dependents, type ImportGraph } from "../map/import-graph.ts";
import { quoted } from "./compare-tests.ts";

/** Tests that reach a file with an import of the repository's own that leads nowhere: it may be the changed file that it means. */
export function testsBehindUnresolved(graph: ImportGraph, tests: readonly string[]): string[] {
  if (graph.unresolved.size === 0) return [];
  const reached = dependents(graph, [...graph.unresolved.keys()]);
  return tests.filter((path) => reached.has(path));
}

/** What leads nowhere, in words that follow "because". */
export function describeUnresolved({ unresolved }: ImportGraph): string {
  const [[path, [module = ""]] = ["", [""]]] = unresolved;
  const others = unresolved.size - 1;
  const rest =
    others === 0
      ? ""
      : others === 1
        ? ", and 1 more file has such an import"
        : `, and ${others} more files have such imports`;
  return `${quoted(path)} imports ${quoted(module)}, which is not found in the repository${rest}`;
}
