import { describe, expect, it } from "vitest";
import { assessRisk, withCoverage } from "../../../src/analysis/risk/assess-risk.ts";
import { RISK_FILE_KINDS, type RiskFacts, type RiskFile } from "../../../src/analysis/risk/risk-facts.ts";
import { COMPONENT_POINTS, RISK_COMPONENTS, RiskReport } from "../../../src/domain/risk.ts";
import fc from "../../properties.ts";
import { history } from "./facts.ts";

const lines = fc.integer({ min: 0, max: 100_000 });
const count = fc.integer({ min: 0, max: 5_000 });
const path = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 400 }))
  .map(([directory, name]) => `d${directory}/f${name}.ts`);
const file: fc.Arbitrary<RiskFile> = fc.record({
  path,
  kind: fc.constantFrom(...RISK_FILE_KINDS),
  addedLines: lines,
  deletedLines: lines,
  pureRename: fc.boolean(),
});
const codeFile = file.map((made) => ({ ...made, kind: "code" as const, pureRename: false }));

function anyFacts(files: fc.Arbitrary<RiskFile>): fc.Arbitrary<RiskFacts> {
  return fc.record(
    {
      files: fc.uniqueArray(files, { selector: (made) => made.path, minLength: 1, maxLength: 60 }),
      addedComplexity: count,
      pathWeights: fc.array(fc.record({ glob: path, weight: fc.double({ min: 0, max: 1, noNaN: true }) })),
      history: fc.tuple(count, count, count, count).map((counts) => history(...counts)),
      openFindings: fc.constant([]),
      migrations: fc.array(path, { maxLength: 2 }),
      workflowPermissions: fc.constant([]),
      protectedPaths: fc.array(path, { maxLength: 2 }),
    },
    {
      requiredKeys: ["files", "pathWeights", "openFindings", "migrations", "workflowPermissions", "protectedPaths"],
    },
  );
}

function points(facts: RiskFacts): number {
  const { components } = assessRisk(facts);
  return RISK_COMPONENTS.reduce((sum, name) => sum + components[name].points, 0);
}

/** Points are rounded to hundredths, five times. */
const ROUNDING = 0.06;

describe("the risk of any change", () => {
  it("RISK-1: is between 0 and 100, and each component between 0 and 20", () => {
    fc.assert(
      fc.property(anyFacts(file), count, count, count, (facts, covered, executable, unmeasured) => {
        const report = withCoverage(assessRisk(facts), { covered, executable, unmeasured, missed: [] });
        expect(RiskReport.safeParse(report).success).toBe(true);
        for (const name of RISK_COMPONENTS) {
          expect(report.components[name].points).toBeLessThanOrEqual(COMPONENT_POINTS);
        }
      }),
    );
  });

  it("RISK-1: rises with size", () => {
    fc.assert(
      fc.property(anyFacts(codeFile), fc.integer({ min: 2, max: 20 }), (facts, times) => {
        const grown = facts.files.map((made) => ({
          ...made,
          addedLines: made.addedLines * times,
          deletedLines: made.deletedLines * times,
        }));
        expect(points({ ...facts, files: grown })).toBeGreaterThanOrEqual(points(facts) - ROUNDING);
      }),
    );
  });

  it("RISK-1: rises with spread: the same lines in one more file and directory", () => {
    fc.assert(
      fc.property(anyFacts(codeFile), ({ files, pathWeights: _weights, ...rest }) => {
        const [first, ...others] = files as [RiskFile, ...RiskFile[]];
        const half = Math.floor(first.addedLines / 2);
        const split = [
          { ...first, addedLines: first.addedLines - half },
          { ...first, path: `elsewhere/${first.path}`, addedLines: half, deletedLines: 0 },
          ...others,
        ];
        const before = assessRisk({ ...rest, pathWeights: [], files });
        const after = assessRisk({ ...rest, pathWeights: [], files: split });
        expect(after.components.complexity.points).toBeGreaterThan(before.components.complexity.points - 0.011);
        expect(after.score).toBeGreaterThanOrEqual(before.score);
      }),
    );
  });

  it("RISK-1: rises with the history of the files and falls with the commits of the author", () => {
    fc.assert(
      fc.property(
        anyFacts(codeFile),
        fc.tuple(count, count, count, count),
        fc.tuple(count, count, count, count),
        (facts, [commits, authors, here, elsewhere], [more, others, moreHere, moreElsewhere]) => {
          const calm = { ...facts, history: history(commits, authors, here + moreHere, elsewhere + moreElsewhere) };
          const busy = { ...facts, history: history(commits + more, authors + others, here, elsewhere) };
          const [low, high] = [assessRisk(calm), assessRisk(busy)];
          for (const name of RISK_COMPONENTS) {
            expect(high.components[name].points).toBeGreaterThanOrEqual(low.components[name].points);
          }
          expect(high.score).toBeGreaterThanOrEqual(low.score);
        },
      ),
    );
  });

  it("RISK-1: does not count lines that nobody wrote", () => {
    const unwritten = fc.constantFrom("generated", "lock", "vendored");
    fc.assert(
      fc.property(anyFacts(codeFile), unwritten, lines, (facts, kind, addedLines) => {
        const extra = (added: number) => ({
          ...facts,
          files: [
            ...facts.files,
            {
              path: "d0/made.ts",
              kind: kind as RiskFile["kind"],
              addedLines: added,
              deletedLines: 0,
              pureRename: false,
            },
          ],
        });
        expect(assessRisk(extra(addedLines))).toEqual(assessRisk(extra(0)));
      }),
    );
  });
});
