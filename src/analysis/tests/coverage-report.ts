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
