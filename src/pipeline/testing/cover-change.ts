import { isTestPath } from "../../analysis/classify-file.ts";
import type { ImportGraph } from "../../analysis/map/import-graph.ts";
import type { CoverageReport } from "../../analysis/tests/coverage-report.ts";
import { type CoveredChange, diffCoverage, rangesOf } from "../../analysis/tests/diff-coverage.ts";
import { languageOfCode, type TestLanguage } from "../../analysis/tests/test-names.ts";
import { reasonByName } from "../../analysis/written-claims.ts";
import type { DiffCoverage } from "../../domain/test-report.ts";
import type { TestCommand } from "../../tools/run/test-command.ts";
import type { Change } from "../change/read-change.ts";

/** What a coverage report of these runners speaks of. */
const LANGUAGE: Partial<Record<TestCommand["runner"], TestLanguage>> = {
  vitest: "script",
  jest: "script",
  "node:test": "script",
  pytest: "python",
};

/** Changed files whose coverage counts: code of the runner's language that is no test and that somebody wrote. */
export function pathsToCover(change: Pick<Change, "files">, { runner }: TestCommand): string[] {
  return change.files
    .filter(({ status, hunks }) => status !== "deleted" && hunks.some(({ added }) => added.length > 0))
    .map(({ path }) => path)
    .filter((path) => languageOfCode(path) === LANGUAGE[runner] && !/\.d\.[cm]?ts$/.test(path))
    .filter((path) => !isTestPath(path) && reasonByName(path) === undefined);
}

/** What tests reached of the lines that a change added (TEST-1). */
export function coverChange(
  { files, contents }: Pick<Change, "files" | "contents">,
  paths: readonly string[],
  coverage: CoverageReport,
  graph: ImportGraph,
): DiffCoverage {
  const changes = files.flatMap(({ path, hunks }): CoveredChange[] => {
    const content = contents.get(path);
    if (!paths.includes(path) || !Buffer.isBuffer(content)) return [];
    const ranges = rangesOf(hunks.flatMap(({ added }) => added));
    return [{ path, ranges, lines: content.toString("utf8").split("\n"), runs: hasCode(graph, path) }];
  });
  return diffCoverage(coverage.files, changes);
}

/** Whether a file declares anything that runs; one that could not be parsed may. */
function hasCode(graph: ImportGraph, path: string): boolean {
  const symbols = graph.symbols.get(path);
  return symbols === undefined || symbols.some(({ kind }) => kind !== "interface" && kind !== "type");
}
