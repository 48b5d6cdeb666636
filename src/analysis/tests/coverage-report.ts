import { type ChangedLines, lineRanges } from "../../domain/hunks.ts";
import type { DiffCoverage } from "../../domain/test-report.ts";

export const COVERAGE_FORMATS = ["lcov", "istanbul", "cobertura"] as const;
export type CoverageFormat = (typeof COVERAGE_FORMATS)[number];

export interface CoverageCount {
  readonly covered: number;
  readonly all: number;
}

/** What tests reached of one file. */
export interface FileCoverage {
  readonly path: string;
  /** Lines that can be executed, each with how often it was; ascending. */
  readonly lines: readonly (readonly [line: number, hits: number])[];
  readonly branches: CoverageCount;
  readonly functions: CoverageCount;
}

export interface CoverageReport {
  /** The files that were asked for and are in the report. */
  readonly files: readonly FileCoverage[];
  /** Of all files of the report. */
  readonly total: {
    readonly lines: CoverageCount;
    readonly branches: CoverageCount;
    readonly functions: CoverageCount;
  };
}

export interface CoverageOptions {
  /** Absolute path of the checkout as the runner saw it. */
  readonly root: string;
  readonly only: ReadonlySet<string>;
}

/** More hits than this are no number that a report means. */
const MOST_HITS = 1e12;

/** Gathers a report file by file; what stands twice, as several test programs report it, is added up. */
export function gatherCoverage(only: ReadonlySet<string>) {
  const found = new Map<string, Map<number, number>>();
  const counts = new Map<string, Pick<FileCoverage, "branches" | "functions">>();
  return {
    take(
      path: string,
      lines: Iterable<readonly [number, number]>,
      other: Pick<FileCoverage, "branches" | "functions">,
    ) {
      const known = found.get(path) ?? new Map<number, number>();
      for (const [line, hits] of lines) {
        if (!Number.isSafeInteger(line) || line < 1 || !(hits >= 0)) continue;
        known.set(line, Math.min(MOST_HITS, (known.get(line) ?? 0) + hits));
      }
      found.set(path, known);
      const before = counts.get(path);
      // The same branches again, reached by another program: at least the better of the two.
      counts.set(path, {
        branches: better(before?.branches, other.branches),
        functions: better(before?.functions, other.functions),
      });
    },
    finish(): CoverageReport | undefined {
      if (found.size === 0) return undefined;
      const all = [...found].map(([path, lines]): FileCoverage => {
        const none = { covered: 0, all: 0 };
        const { branches = none, functions = none } = counts.get(path) ?? {};
        return { path, lines: [...lines].sort(([a], [b]) => a - b), branches, functions };
      });
      const sum = (of: (file: FileCoverage) => CoverageCount) =>
        all.map(of).reduce((a, b) => ({ covered: a.covered + b.covered, all: a.all + b.all }), { covered: 0, all: 0 });
      return {
        files: all.filter(({ path }) => only.has(path)),
        total: {
          lines: sum(linesOf),
          branches: sum(({ branches }) => branches),
          functions: sum((each) => each.functions),
        },
      };
    },
  };
}

export function linesOf({ lines }: Pick<FileCoverage, "lines">): CoverageCount {
  return { covered: lines.filter(([, hits]) => hits > 0).length, all: lines.length };
}

function better(a: CoverageCount | undefined, b: CoverageCount): CoverageCount {
  if (a === undefined) return b;
  return { covered: Math.max(a.covered, b.covered), all: Math.max(a.all, b.all) };
}

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
