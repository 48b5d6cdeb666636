import { type ChangedLines, lineRanges } from "../../domain/hunks.ts";
import type { DiffCoverage } from "../../domain/test-report.ts";
import type { FileCoverage } from "./coverage-report.ts";

/** A changed file: its added lines, and all its lines as they are now. */
export interface CoveredChange extends ChangedLines {
  readonly lines: readonly string[];
  /** Whether it holds anything that runs: a file of types has nothing to cover. */
  readonly runs: boolean;
}

/** Of so many files the missed lines are named, and so many ranges of them in each; all are counted. */
const MOST_FILES = 100;
const MOST_RANGES = 200;

/**
 * What tests reached of the added lines (TEST-1). A changed file that no test loaded is in no report: all its lines are missed. Lines of
 * white space, comments and brackets alone are left out, which some reports count.
 */
export function diffCoverage(coverage: readonly FileCoverage[], changes: readonly CoveredChange[]): DiffCoverage {
  const byPath = new Map(coverage.map((file) => [file.path, new Map(file.lines)]));
  let [covered, executable] = [0, 0];
  const missed: DiffCoverage["missed"] = [];
  for (const { path, ranges, lines, runs } of changes) {
    const hits = byPath.get(path);
    if (hits === undefined && !runs) continue;
    const left: number[] = [];
    for (const line of linesIn(ranges)) {
      if (!looksExecutable(lines[line - 1] ?? "") || (hits !== undefined && !hits.has(line))) continue;
      executable += 1;
      if ((hits?.get(line) ?? 0) > 0) covered += 1;
      else left.push(line);
    }
    if (left.length > 0 && missed.length < MOST_FILES)
      missed.push({ path, ranges: lineRanges(left).slice(0, MOST_RANGES) });
  }
  return { covered, executable, missed };
}

/** Whether a line does anything by itself, as far as it can be told without parsing. */
export function looksExecutable(line: string): boolean {
  return !/^\s*(?:$|\/\/|\/\*|\*|#(?:\s|$|!)|[\])};,({[]+\s*$|"""|import\b|export (?:type|interface)\b|(?:type|interface) \w)/.test(
    line,
  );
}

function* linesIn(ranges: ChangedLines["ranges"]): Generator<number> {
  for (const [first, last] of ranges) for (let line = first; line <= last; line += 1) yield line;
}
