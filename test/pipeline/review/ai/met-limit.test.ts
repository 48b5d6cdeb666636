import { expect, it } from "vitest";
import { DEFAULT_REPO_CONFIG } from "../../../../src/domain/repo-config.ts";
import { metLimit } from "../../../../src/pipeline/review/ai/review-limits.ts";

function at(name: string, scope?: string) {
  return metLimit([{}, { limit: { name, scope } }], DEFAULT_REPO_CONFIG);
}

it("SAFE-1: names the limit of a review that people can raise, and how high it is", () => {
  expect(at("cost", "phase")).toEqual({ name: "usd", amount: 2 });
  expect(at("iterations", "phase")).toEqual({ name: "iterations", amount: 10 });
  expect(at("time", "phase")).toEqual({ name: "minutes", amount: 30 });
});

it("SAFE-1: names none that raising a review's own would not move", () => {
  expect([at("cost", "day"), at("cost", "subject"), at("cost"), at("errors", "phase")]).toEqual(
    Array(4).fill(undefined),
  );
  expect(metLimit([{}], DEFAULT_REPO_CONFIG)).toBeUndefined();
  const free = { ...DEFAULT_REPO_CONFIG.safety, cost: { ...DEFAULT_REPO_CONFIG.safety.cost, review: 0 } };
  expect(metLimit([{ limit: { name: "cost", scope: "phase" } }], { safety: free })).toBeUndefined();
});
