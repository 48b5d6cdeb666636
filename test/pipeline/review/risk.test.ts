import { expect, it } from "vitest";
import type { RiskReport } from "../../../src/domain/risk.ts";
import { A, finding, finished, given, headChanged, observed } from "./story.ts";

const part = { points: 10, factors: [] };
const components = {
  changeSize: part,
  complexity: part,
  criticality: part,
  testCoverage: part,
  authorExperience: part,
};
const risk = (sum: number, ...floors: RiskReport["floors"]): RiskReport => ({
  score: sum,
  level: sum > 50 ? "high" : "medium",
  sum,
  components,
  floors,
});

function review(measured: number | RiskReport, ...findings: Parameters<typeof finished>[1]) {
  const story = given(headChanged(A), observed("run-a", A));
  const own = typeof measured === "number" ? risk(measured) : measured;
  story.when(finished("run-a", findings, { risk: own }));
  const [run] = story.runs();
  return { types: story.types("run-a"), run: run?.status === "completed" ? run : undefined };
}

it("RISK-1: the risk of a review is a fact of its own, with what the open findings add", () => {
  const { types, run } = review(30, finding("bug", { severity: "error" }));
  expect(types).toContain("risk.assessed");
  expect(run?.review?.risk).toMatchObject({ score: 51, level: "high", sum: 30 });
  expect(run?.review).toMatchObject({ decision: "request_changes", conclusion: "failure" });
});

it("REV-2, REV-3a: a high risk asks for a person and waits for one, a medium one does not", () => {
  expect(review(51).run?.review).toMatchObject({ decision: "require_human", conclusion: "action_required" });
  expect(review(50).run?.review).toMatchObject({ decision: "approve", conclusion: "success" });
});

it.each(["protected_path", "migration", "workflow_permissions"] as const)(
  "REV-3a: %s asks for a person, however small the change and however clean",
  (cause) => {
    const floor = { cause, score: 51, reason: "a protected path", paths: ["infra/main.tf"] };
    const { run } = review(risk(5, floor));
    const asks = { decision: "require_human", conclusion: "action_required" };
    expect(run?.review).toMatchObject({ ...asks, risk: { score: 51 } });
    expect(run?.outcome).toBe("human_required");
  },
);

it.each([
  ["a blocking finding", finding("bug", { severity: "error" }), 51],
  ["a secret", finding("key", { severity: "error", category: "security", secret: true }), 76],
] as const)("REV-3a: %s counts once: it lifts the risk and calls no person a second time", (_name, found, score) => {
  const { run } = review(5, found);
  expect(run?.review).toMatchObject({ decision: "request_changes", conclusion: "failure", risk: { score } });
});

it("REV-3a: a critical security finding calls a person by itself", () => {
  const found = finding("injection", { severity: "critical", category: "security" });
  expect(review(5, found).run?.review).toMatchObject({ decision: "require_human", conclusion: "failure" });
  const guess = { ...found, source: "ai", confidence: 0.69 } as const;
  expect(review(5, guess).run?.review).toMatchObject({ decision: "require_human", conclusion: "neutral", blocking: 0 });
  expect(review(5, { ...guess, confidence: 0.95, verified: "fix" }).run?.review).toMatchObject({
    decision: "require_human",
    blocking: 1,
  });
});
