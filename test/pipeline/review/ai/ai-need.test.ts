import { describe, expect, it } from "vitest";
import type { RiskLevel, RiskReport } from "../../../../src/domain/risk.ts";
import { type AiQuestion, aiNeed } from "../../../../src/pipeline/review/ai/ai-need.ts";

const QUESTION: AiQuestion = {
  ai: "auto",
  risk: riskOf("medium"),
  configured: true,
  authorRole: "write",
  trusted: false,
  openFindings: false,
};

function riskOf(level: RiskLevel): RiskReport {
  const none = { points: 0, factors: [] };
  const components = {
    changeSize: none,
    complexity: none,
    criticality: none,
    testCoverage: none,
    authorExperience: none,
  };
  return { score: 0, level, sum: 0, components, floors: [] };
}

describe("whether a model reads the change", () => {
  it.each([
    ["low", { run: false, state: "not_needed" }],
    ["medium", { run: true, depth: "usual" }],
    ["high", { run: true, depth: "deep" }],
    ["critical", { run: true, depth: "deep" }],
  ] as const)("REV-2: at %s risk", (level, expected) => {
    expect(aiNeed({ ...QUESTION, risk: riskOf(level) })).toMatchObject(expected);
  });

  it("REV-2: `review.ai: always` reads small changes too, `never` none", () => {
    expect(aiNeed({ ...QUESTION, ai: "always", risk: riskOf("low") })).toEqual({ run: true, depth: "usual" });
    expect(aiNeed({ ...QUESTION, ai: "never", risk: riskOf("critical") })).toMatchObject({ run: false });
  });

  it("REV-2: a change whose risk is not known is not assumed to be small", () => {
    expect(aiNeed({ ...QUESTION, risk: undefined })).toEqual({ run: true, depth: "usual" });
  });

  it("REV-2: a small change is read while it has open findings of a model: somebody wants to hear that they are mended", () => {
    expect(aiNeed({ ...QUESTION, risk: riskOf("low"), openFindings: true })).toMatchObject({ run: true });
  });

  it("GH-8c: waits for trust where the author cannot push, and never asks for trust in vain", () => {
    expect(aiNeed({ ...QUESTION, authorRole: "triage" })).toMatchObject({ run: false, state: "waiting" });
    expect(aiNeed({ ...QUESTION, authorRole: "none", trusted: true })).toMatchObject({ run: true });
    expect(aiNeed({ ...QUESTION, authorRole: "none", configured: false })).toMatchObject({ state: "not_configured" });
    expect(aiNeed({ ...QUESTION, authorRole: "none", risk: riskOf("low") })).toMatchObject({ state: "not_needed" });
  });
});
