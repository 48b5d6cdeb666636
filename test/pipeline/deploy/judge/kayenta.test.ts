import { expect, it } from "vitest";
import { judgeKayentasCases } from "../../../../bench/judge/kayenta.ts";

/** Each of them is explained in `docs/judge.md`. */
const NOT_PASSED = [
  "Mann-Whitney Classifier Test - Mean Ratio Effect Size: Pass",
  "Mann-Whitney Classifier Test - Mean Ratio Effect Size: Pass (Large Input)",
  "Mann-Whitney Classifier Test - CLES Effect Size: Pass",
  "Mann-Whitney Classifier Test - Critical Effect Size: Pass",
  "Mann-Whitney Tied Observations",
  "Mann-Whitney Missing Experiment Data with NaN Replacement",
  "Mann-Whitney Majority Tied Observations",
];

it("DEP-3: answers the cases that Kayenta labels as they are labelled, but for seven that it does not pass", () => {
  const judged = judgeKayentasCases();
  expect(judged).toHaveLength(37);
  const others = judged.filter(({ answer, label }) => answer !== label);
  expect(others.map(({ name }) => name)).toEqual(NOT_PASSED);
  for (const { label, answer } of others) {
    expect(label).toBe("pass");
    expect(["cannot tell", "no data"]).toContain(answer);
  }
});
