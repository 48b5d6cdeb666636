import { describe, expect, it } from "vitest";
import { assessRisk, withCoverage } from "../../../src/analysis/risk/assess-risk.ts";
import type { RiskFacts } from "../../../src/analysis/risk/risk-facts.ts";
import { RISK_COMPONENTS, RiskReport } from "../../../src/domain/risk.ts";
import type { DiffCoverage } from "../../../src/domain/test-report.ts";
import { changedFile, facts, history } from "./facts.ts";

interface WorkedExample {
  /** What tests reached, where they were run. */
  readonly measured?: DiffCoverage;
  readonly what: string;
  readonly facts: RiskFacts;
  /** Size, complexity, criticality, test coverage, author experience. */
  readonly points: readonly [number, number, number, number, number];
  readonly score: number;
  readonly level: RiskReport["level"];
}

// Worked by hand with a pocket calculator. L(x, f) stands for ln(1 + x) / ln(1 + f), s for L(LA + 0.25 LD, 1000).
const EXAMPLES: readonly WorkedExample[] = [
  {
    // s = ln 2 / ln 1001 = 0.1003. Size 20s = 2.01. One file: 20 (0.5 L(1,30) + 0.25 L(1,20)) = 20 (0.1009 + 0.0569) = 3.16.
    // No history: 0. Tests 20s 0.7 = 1.40. 500 commits: 0.
    what: "one line of a new file by somebody who has written 500 commits there",
    facts: facts({ files: [changedFile("src/a.ts", 1, 0)], history: history(0, 0, 500, 0) }),
    points: [2.01, 3.16, 0, 1.4, 0],
    score: 7,
    level: "low",
  },
  {
    // 10 + 2.5: s = ln 13.5 / 6.9088 = 0.3767. Activity 0.6 L(12,300) + 0.4 L(3,60) = 0.2697 + 0.1349 = 0.4045, times 20s = 3.05.
    // Experience 20s (1 - ln 51 / ln 501) = 7.53 (1 - 0.6325) = 2.77.
    what: "a small mend in one file",
    facts: facts({ files: [changedFile("src/a.ts", 10, 10)], history: history(12, 3, 40, 40) }),
    points: [7.53, 3.16, 3.05, 5.27, 2.77],
    score: 22,
    level: "low",
  },
  {
    // 200 + 10: s = ln 211 / 6.9088 = 0.7747. Four files with equal shares: 2 bits.
    // 20 (0.5 ln 5 / ln 31 + 0.25 * 2/4 + 0.25 ln 3 / ln 21) = 20 (0.2343 + 0.125 + 0.0902) = 8.99. A test changed: 20s 0.3 = 4.65.
    what: "a feature over four files with a test",
    facts: facts({
      files: ["src/a.ts", "src/b.ts", "test/a.test.ts", "src/c.ts"].map((path) => ({
        ...changedFile(path, 50, 10),
        kind: path.startsWith("test/") ? ("test" as const) : ("code" as const),
      })),
      history: history(30, 5, 10, 20),
    }),
    points: [15.49, 8.99, 8.29, 4.65, 8.58],
    score: 46,
    level: "medium",
  },
  {
    // Everything full: 1,000 lines, 30 files, 20 directories, more than 4 bits, 300 commits, 60 people, a newcomer. Tests 20 * 0.7.
    what: "a rewrite by a newcomer",
    facts: facts({
      files: Array.from({ length: 30 }, (_, at) => changedFile(`d${at % 20}/f${at}.ts`, at === 0 ? 43 : 33, 0)),
      history: history(300, 60, 0, 0),
    }),
    points: [20, 20, 20, 14, 20],
    score: 94,
    level: "critical",
  },
  {
    // s = ln 301 / 6.9088 = 0.8261. Documentation only: no points for tests. Activity 0.6 ln 21 / ln 301 + 0.4 ln 7 / ln 61 = 0.5094.
    what: "300 lines of documentation",
    facts: facts({
      files: [{ ...changedFile("docs/a.md", 300, 0), kind: "docs" }],
      history: history(20, 6, 5, 0),
    }),
    points: [16.52, 3.16, 8.42, 0, 11.76],
    score: 40,
    level: "medium",
  },
  {
    // Of three files in two directories only package.json counts: 5 + 0.25 lines, s = ln 6.25 / 6.9088 = 0.2653, no entropy.
    // 20 (0.5 ln 4 / ln 31 + 0.25 ln 3 / ln 21) = 4.04 + 1.80 = 5.84.
    what: "a dependency, its lock file and a moved file",
    facts: facts({
      files: [
        changedFile("package.json", 5, 1),
        { ...changedFile("package-lock.json", 4_000, 3_000), kind: "lock" },
        { ...changedFile("src/moved.ts", 800, 800), pureRename: true },
      ],
      history: history(40, 8, 100, 0),
    }),
    points: [5.31, 5.84, 3.21, 3.71, 1.37],
    score: 19,
    level: "low",
  },
  {
    // 120 + 7.5: s = ln 128.5 / 6.9088 = 0.7029. Lines 100 and 50: 0.9183 bits. Spread 0.5 L(2,30) + 0.25 * 0.2296 + 0.25 L(1,20)
    // = 0.2743; added complexity ln 16 / ln 61 = 0.6745; half of each, times 20 = 9.49. 8 of 10 lines covered: 20 * 0.2 = 4.
    what: "branchy code, measured coverage, an author from elsewhere in the repository",
    facts: facts({
      files: [changedFile("src/a.ts", 80, 20), changedFile("src/b.ts", 40, 10)],
      addedComplexity: 15,
      history: history(50, 4, 0, 400),
    }),
    measured: { covered: 8, executable: 10, missed: [] },
    points: [14.06, 9.49, 8.01, 4, 3.62],
    score: 39,
    level: "medium",
  },
  {
    // 3 + 0.25: s = ln 4.25 / 6.9088 = 0.2094. The weight 0.9 is not scaled by size: 20 * 0.9 = 18.
    what: "three lines at a path with a configured weight",
    facts: facts({
      files: [changedFile("src/auth/login.ts", 3, 1)],
      pathWeights: [
        { glob: "src", weight: 0.2 },
        { glob: "src/auth/**", weight: 0.9 },
      ],
      history: history(5, 2, 3, 8),
    }),
    points: [4.19, 3.16, 18, 2.93, 2.98],
    score: 31,
    level: "medium",
  },
  {
    // s = ln 51 / 6.9088 = 0.5691. History and author unknown: 20s 0.5 = 5.69 each. Two files of 25 lines: 1 bit.
    // 20 (0.5 ln 3 / ln 31 + 0.25 * 1/4 + 0.25 ln 3 / ln 21) = 3.20 + 1.25 + 1.80 = 6.25.
    what: "a repository whose history could not be read",
    facts: facts({ files: [changedFile("a/a.go", 25, 0), changedFile("b/b.go", 25, 0)] }),
    points: [11.38, 6.25, 5.69, 7.97, 5.69],
    score: 37,
    level: "medium",
  },
  {
    // Size, activity and added complexity above their full values count in full. Spread 0.5 L(8,30) + 0.25 * 3/4 + 0.25 L(5,20)
    // = 0.3199 + 0.1875 + 0.1471 = 0.6546; (0.6546 + 1) / 2 * 20 = 16.55. Nothing covered: 20. 20 (1 - ln 4 / ln 501) = 15.54.
    what: "5,000 lines without a test in busy files",
    facts: facts({
      files: Array.from({ length: 8 }, (_, at) => changedFile(`d${at % 5}/f${at}.ts`, 625, 100)),
      addedComplexity: 200,
      history: history(900, 100, 2, 4),
    }),
    measured: { covered: 0, executable: 2_000, missed: [] },
    points: [20, 16.55, 20, 20, 15.54],
    score: 92,
    level: "critical",
  },
];

describe("the risk of a change", () => {
  it.each(EXAMPLES)("RISK-1: $what is $score, $level", (example) => {
    const report = withCoverage(assessRisk(example.facts), example.measured);
    expect(RISK_COMPONENTS.map((name) => report.components[name].points)).toEqual(example.points);
    expect(report).toMatchObject({ score: example.score, sum: example.score, level: example.level, floors: [] });
    expect(RiskReport.parse(report)).toEqual(report);
  });

  it("RISK-1: by weights the components stay as they are and the sum follows, never above 100; measured coverage counts in full", () => {
    const weights = { changeSize: 2, complexity: 0.5, criticality: 1, testCoverage: 0.5, authorExperience: 1 };
    const files = [changedFile("src/a.ts", 900, 0)];
    const [plain, weighed] = [assessRisk(facts({ files })), assessRisk(facts({ files }), weights)];
    expect(weighed.components).toEqual(plain.components);
    const points = (of: RiskReport, name: keyof typeof weights) => of.components[name].points * weights[name];
    expect(weighed.sum).toBe(Math.round(RISK_COMPONENTS.reduce((sum, name) => sum + points(plain, name), 0)));
    expect(RiskReport.parse(weighed)).toEqual(weighed);
    const [before, after] = [weighed, withCoverage(weighed, { covered: 0, executable: 10, missed: [] })];
    expect(after.weights).toEqual({ ...weights, testCoverage: 1 });
    expect(Math.abs(after.sum - before.sum - (20 - points(plain, "testCoverage")))).toBeLessThanOrEqual(1);
    const five = { ...weights, changeSize: 5, criticality: 5, testCoverage: 5 };
    expect(assessRisk(facts({ files }), five)).toMatchObject({ sum: 100, level: "critical" });
  });

  it("RISK-1: shows the facts behind each component", () => {
    const guessed = assessRisk(
      facts({
        files: [changedFile("src/auth/a.ts", 80, 20), changedFile("src/b.ts", 40, 10)],
        addedComplexity: 15,
        pathWeights: [{ glob: "src/auth/**", weight: 0.5 }],
        history: { ...history(50, 4, 7, 400), truncated: true },
      }),
    );
    const report = withCoverage(guessed, { covered: 8, executable: 10, missed: [] });
    const said = RISK_COMPONENTS.map((name) =>
      report.components[name].factors.map(({ words, value, unit, path, atLeast }) =>
        [words, atLeast ? "at least" : undefined, value, unit, path].filter((part) => part !== undefined).join(" "),
      ),
    );
    expect(said).toEqual([
      ["lines added 120", "lines deleted 30"],
      [
        "files 2",
        "directories 2",
        "entropy of the changed lines over the files 0.92 bits",
        "cognitive complexity added to functions 15",
      ],
      [
        "configured weight of a path 0.5 src/auth/**",
        "commits on these files in 12 months at least 50",
        "people who made them at least 4",
      ],
      ["changed lines that tests can reach 10", "of them covered 8"],
      [
        "earlier commits by the same author in these directories at least 7",
        "and elsewhere in the repository at least 400",
      ],
    ]);
  });

  it("RISK-1: says what is not known", () => {
    const { components } = assessRisk(facts({ files: [changedFile("a.py", 9, 0)] }));
    expect([components.criticality, components.testCoverage, components.authorExperience]).toMatchObject([
      { factors: [{ words: "history not known, counted as a share of", value: 0.5 }] },
      { factors: [{ words: "coverage not known, a test was not changed: counted as a share of", value: 0.7 }] },
      { factors: [{ words: "earlier commits by the same author not known, counted as a share of", value: 0.5 }] },
    ]);
  });

  it("RISK-1: is zero for a change without files and without executable lines", () => {
    expect(assessRisk(facts({ files: [], history: history(0, 0, 0, 0) }))).toMatchObject({ score: 0, level: "low" });
    const guessed = assessRisk(facts({ files: [changedFile("a.yml", 9, 0)] }));
    const report = withCoverage(guessed, { covered: 0, executable: 0, missed: [] });
    expect(report.components.testCoverage.points).toBe(0);
    expect(report.sum).toBeLessThan(guessed.sum);
  });

  it("RISK-1: guesses on for the lines that nothing measures, and asks no tests of documentation", () => {
    const guessed = assessRisk(facts({ files: [changedFile("a.ts", 10, 0), changedFile("b.go", 30, 0)] }));
    const { points } = guessed.components.testCoverage;
    const report = withCoverage(guessed, { covered: 10, executable: 10, unmeasured: 30, missed: [] });
    expect(report.components.testCoverage.points).toBeCloseTo(0.75 * points, 1);
    expect(report.components.testCoverage.factors.at(-1)).toMatchObject({ value: 30 });
    const docs = assessRisk(facts({ files: [{ ...changedFile("a.md", 90, 0), kind: "docs" }] }));
    expect(withCoverage(docs, { covered: 0, executable: 4, missed: [] })).toEqual(docs);
  });
});
