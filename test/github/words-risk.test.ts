import { expect, it } from "vitest";
import type { RiskReport } from "../../src/domain/risk.ts";
import { riskLines } from "../../src/github/words/check/summary-lines.ts";
import { wording } from "./samples.ts";

const risk: RiskReport = {
  score: 46,
  level: "medium",
  sum: 46,
  components: {
    changeSize: {
      points: 14.2,
      factors: [
        { words: "lines added", value: 1214 },
        { words: "lines deleted", value: 12 },
      ],
    },
    complexity: {
      points: 11,
      factors: [
        { words: "files", value: 12 },
        { words: "entropy", value: 2.14, unit: "bits" },
      ],
    },
    criticality: { points: 12, factors: [{ words: "configured weight of a path", value: 0.6, path: "auth/" }] },
    testCoverage: { points: 6.4, factors: [{ words: "coverage not known, counted as a share of", value: 0.3 }] },
    authorExperience: {
      points: 3,
      factors: [{ words: "earlier commits by the same author in these directories", value: 60, atLeast: true }],
    },
  },
  floors: [],
};

it("RISK-1: says the score with its five parts, and folds what they rest on", () => {
  expect(riskLines(risk, wording).join("\n")).toMatchInlineSnapshot(`
    "**Risk** 46, medium: size 14, complexity 11, criticality 12 (\`auth/\`), tests 6, experience 3.
    <details><summary>what the risk rests on</summary>

    - size 14 of 20: lines added 1,214, lines deleted 12
    - complexity 11 of 20: files 12, entropy 2.14 bits
    - criticality 12 of 20: configured weight of a path 0.6 (\`auth/\`)
    - tests 6 of 20: coverage not known, counted as a share of 0.3
    - experience 3 of 20: earlier commits by the same author in these directories at least 60

    </details>"
  `);
});

it("RISK-1, REV-3a: says what a score cannot fall below, and that a person should look", () => {
  const floors: RiskReport["floors"] = [
    { cause: "migration", score: 76, reason: "a database migration", paths: ["db/a`1.sql"] },
  ];
  const [line, folded] = riskLines({ ...risk, score: 76, level: "critical", floors }, wording);
  expect(line).toMatchInlineSnapshot(
    `"**Risk** 76, critical (at least 76: a database migration): size 14, complexity 11, criticality 12 (\`auth/\`), tests 6, experience 3. A person should look at this before it is merged."`,
  );
  expect(folded).toContain("- at least 76: a database migration: ``db/a`1.sql``");
});
