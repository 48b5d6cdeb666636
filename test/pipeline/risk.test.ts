import { expect, it } from "vitest";
import type { RiskReport } from "../../src/domain/risk.ts";
import { A, finding, finished, given, headChanged, observed } from "./story.ts";

const part = { points: 10, factors: [] };
const components = {
  changeSize: part,
  complexity: part,
  criticality: part,
  testCoverage: part,
  authorExperience: part,
};
const risk = (sum: number): RiskReport => ({
  score: sum,
  level: sum > 50 ? "high" : "medium",
  sum,
  components,
  floors: [],
});

function review(sum: number, ...findings: Parameters<typeof finished>[1]) {
  const story = given(headChanged(A), observed("run-a", A));
  story.when(finished("run-a", findings, { risk: risk(sum) }));
  const [run] = story.runs();
  return { types: story.types("run-a"), run: run?.status === "completed" ? run : undefined };
}

it("RISK-1: the risk of a review is a fact of its own, with what the open findings add", () => {
  const { types, run } = review(30, finding("bug", { severity: "error" }));
  expect(types).toContain("risk.assessed");
  expect(run?.review?.risk).toMatchObject({ score: 51, level: "high", sum: 30 });
  expect(run?.review).toMatchObject({ decision: "request_changes", conclusion: "failure" });
});

it("REV-3a: a high risk asks for a person, and does not change the conclusion by itself", () => {
  expect(review(51).run?.review).toMatchObject({ decision: "require_human", conclusion: "success" });
  expect(review(50).run?.review).toMatchObject({ decision: "approve", conclusion: "success" });
});
