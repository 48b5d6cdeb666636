import { describe, expect, it } from "vitest";
import type { Approval } from "../../src/domain/review-report.ts";
import type { RiskReport } from "../../src/domain/risk.ts";
import { checkSummary } from "../../src/github/words/check/check-text.ts";
import { checkTitle } from "../../src/github/words/check/check-title.ts";
import { riskLines } from "../../src/github/words/check/summary-lines.ts";
import { reviewed, wording } from "./samples.ts";

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

it("RISK-1: says what became of changes like this one with the sample, and what counts how much here", () => {
  const weights = { changeSize: 1.8, complexity: 0.6, criticality: 1.4, testCoverage: 1, authorExperience: 0.25 };
  const mended = { alike: 84, mended: 11, all: 412, allMended: 38, days: 90 };
  expect(riskLines({ ...risk, weights, mended }, wording).join("\n")).toMatchInlineSnapshot(`
    "**Risk** 46, medium: size 14 × 1.8, complexity 11 × 0.6, criticality 12 × 1.4 (\`auth/\`), tests 6, experience 3 × 0.25. Of 84 changes like this here, 11 were fixed within 90 days.
    <details><summary>what the risk rests on</summary>

    - size 14 of 20: lines added 1,214, lines deleted 12
    - complexity 11 of 20: files 12, entropy 2.14 bits
    - criticality 12 of 20: configured weight of a path 0.6 (\`auth/\`)
    - tests 6 of 20: coverage not known, counted as a share of 0.3
    - experience 3 of 20: earlier commits by the same author in these directories at least 60
    - × is how much a component counts here, by which earlier changes in this repository were fixed
    - like this: with a score within 5 points of this one; 38 of all 412 analyzed code changes were fixed

    </details>"
  `);
  expect(riskLines({ ...risk, planned: "low" }, wording)[0]).toMatch(
    /^\*\*Risk\*\* 46, medium, planned as low: size 14/,
  );
  expect(riskLines({ ...risk, mended: { ...mended, mended: 1 } }, wording)[0]).toMatch(
    /experience 3\. Of 84 changes like this here, 1 was fixed within 90 days\.$/,
  );
});

it("RISK-1, REV-3a: says what a score cannot fall below, and that a person should look", () => {
  const floors: RiskReport["floors"] = [
    { cause: "migration", score: 76, reason: "a database migration", paths: ["db/a`1.sql"] },
  ];
  const [line, folded] = riskLines({ ...risk, score: 76, level: "critical", floors }, wording);
  expect(line).toMatchInlineSnapshot(
    `"**Risk** 46, raised to critical (a database migration): size 14, complexity 11, criticality 12 (\`auth/\`), tests 6, experience 3. A person should look at this before it is merged."`,
  );
  expect(folded).toContain("- at least critical: a database migration: ``db/a`1.sql``");
});

it("RISK-1: an open secret raises the level, and the parts still come to the number", () => {
  const points = { changeSize: 3.4, complexity: 2.4, criticality: 1.4, testCoverage: 2.4, authorExperience: 2.4 };
  const components = Object.fromEntries(
    Object.entries(points).map(([name, value]) => [name, { points: value, factors: [] }]),
  ) as unknown as RiskReport["components"];
  const floors: RiskReport["floors"] = [{ cause: "secret", score: 76, reason: "1 open secret" }];
  const [line = ""] = riskLines({ score: 76, level: "critical", sum: 12, components, floors }, wording);
  expect(line).toBe(
    "**Risk** 12, raised to critical (1 open secret): size 4, complexity 3, criticality 1, tests 2, experience 2.",
  );
});

describe("REV-2: a check that waits for people", () => {
  const high = { ...risk, score: 60, level: "high", sum: 60 } as const;
  const said = (approval: Approval) => {
    const report = reviewed([], { decision: "require_human", risk: high, approval });
    const conclusion = approval.is === "approved" ? "success" : "action_required";
    return [checkTitle(conclusion, report, wording), checkSummary(conclusion, report, "01JD", wording).split("\n")[0]];
  };

  it("says what it waits for, and what else may be done", () => {
    expect(said({ is: "wanted" })).toEqual([
      "Waiting for an approving review: high risk",
      "**Waiting for an approving review: the risk is high.** Someone with push permission who did not write it must approve this head on GitHub; to let it pass without: `/forge override forge/review <reason>`",
    ]);
    expect(said({ is: "rejected", by: "ben" })).toEqual([
      "`ben` asks for changes, and the risk is high",
      "**`ben` asks for changes, and the risk is high.** It waits until `ben` approves this head, or the review is dismissed; to let it pass without: `/forge override forge/review <reason>`",
    ]);
  });

  it("says whose approval a critical risk waits for, and that another one is not enough", () => {
    const floors: RiskReport["floors"] = [{ cause: "migration", score: 76, reason: "a database migration" }];
    const critical = { ...risk, score: 76, level: "critical", floors } as const;
    const first = (approval: Approval) => {
      const report = reviewed([], { decision: "require_human", risk: critical, approval });
      const summary = checkSummary("action_required", report, "01JD", wording).split("\n")[0] ?? "";
      return [checkTitle("action_required", report, wording), summary.replace(/; to let it pass .*?`\/forge .*?`/, "")];
    };
    expect(first({ is: "wanted", architects: [] })).toEqual([
      "Waiting for a maintainer's approving review: critical risk",
      "**Waiting for a maintainer's approving review: the risk is critical.** Someone with maintain permission who did not write it must approve this head on GitHub",
    ]);
    expect(first({ is: "wanted", architects: ["cleo", "@acme/arch"], by: "ben", unreadTeams: ["@acme/arch"] })).toEqual(
      [
        "Waiting for an architect's approving review: critical risk",
        "**Waiting for an architect's approving review: the risk is critical.** `ben` has approved; that is not enough at this risk. An architect (`cleo`, `@acme/arch`) who did not write it must approve this head on GitHub. Forge cannot see who is in `@acme/arch`: the App lacks the permission `members: read`",
      ],
    );
  });

  it("says who approved", () => {
    expect(said({ is: "approved", by: "ben" })[0]).toMatch(/^Clean/);
    expect(riskLines(high, wording, { is: "approved", by: "ben" })[0]).toMatch(/experience 3\. Approved by `ben`\.$/);
    expect(riskLines(high, wording)[0]).toMatch(/A person should look at this before it is merged\.$/);
  });
});
