import { describe, expect, it } from "vitest";
import { assessRisk } from "../../../src/analysis/risk/assess-risk.ts";
import type { RiskFacts } from "../../../src/analysis/risk/risk-facts.ts";
import { levelOfRisk } from "../../../src/domain/risk.ts";
import { changedFile, facts, history } from "./facts.ts";

function withFloors(known: Partial<RiskFacts>) {
  return assessRisk(facts({ files: [changedFile("a.ts", 1, 0)], history: history(0, 0, 500, 0), ...known }));
}

const critical = { severity: "critical", category: "security", confidence: 0.4 } as const;
const error = { severity: "error", category: "correctness", confidence: 0.7 } as const;

describe("the floors of the risk", () => {
  it.each<[string, Partial<RiskFacts>, number, string, string]>([
    ["a critical security finding", { openFindings: [critical] }, 76, "critical", "1 open critical security finding"],
    ["secrets", { openFindings: [secret(), secret()] }, 76, "critical", "2 open secrets"],
    ["a migration", { migrations: ["db/1.sql"] }, 76, "critical", "a database migration"],
    [
      "permissions of workflows",
      { workflowPermissions: [".github/workflows/a.yml", ".github/workflows/b.yml"] },
      76,
      "critical",
      "changed permissions of a workflow (2 files)",
    ],
    ["a high finding", { openFindings: [error] }, 51, "high", "1 open finding of severity error or critical"],
    ["a protected path", { protectedPaths: ["infra/main.tf"] }, 51, "high", "a protected path"],
  ])("RISK-1: %s lifts a one-line change", (_, known, score, level, reason) => {
    const report = withFloors(known);
    expect(report).toMatchObject({ score, level, sum: 7, floors: [{ score, reason }] });
    expect(report.floors).toHaveLength(1);
  });

  it("RISK-1: all that apply are named, highest first, also below the sum of the components", () => {
    const report = assessRisk(
      facts({
        files: Array.from({ length: 40 }, (_, at) => changedFile(`d${at}/a.ts`, 200, 0)),
        history: history(400, 80, 0, 0),
        openFindings: [error, { ...critical, confidence: 0.9 }],
        protectedPaths: ["d1/a.ts"],
      }),
    );
    expect(report).toMatchObject({ score: 94, level: "critical" });
    expect(report.floors.map(({ cause, score }) => [cause, score])).toEqual([
      ["critical_security_finding", 76],
      ["high_finding", 51],
      ["protected_path", 51],
    ]);
  });

  it("RISK-1: a guess of low confidence and a warning lift nothing", () => {
    const guess = { ...error, confidence: 0.69 };
    const warning = { severity: "warning", category: "security", confidence: 1 } as const;
    expect(withFloors({ openFindings: [guess, warning] })).toMatchObject({ score: 7, floors: [] });
  });

  it("RISK-1: shows ten paths at most", () => {
    const migrations = Array.from({ length: 30 }, (_, at) => `db/${at}.sql`);
    expect(withFloors({ migrations }).floors[0]).toMatchObject({ paths: migrations.slice(0, 10) });
  });

  it("RISK-1: levels end at 25, 50 and 75", () => {
    expect([0, 25, 26, 50, 51, 75, 76, 100].map(levelOfRisk)).toEqual([
      "low",
      "low",
      "medium",
      "medium",
      "high",
      "high",
      "critical",
      "critical",
    ]);
  });
});

function secret() {
  return { severity: "warning", category: "security", confidence: 0.3, secret: true } as const;
}
