import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimateCost } from "../../../src/agents/planner/estimate-cost.ts";
import { Estimate } from "../../../src/domain/plan.ts";
import type { Price } from "../../../src/llm/ports.ts";
import { plan } from "./fixture.ts";

const strong: Price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, assumed: false };
const fast: Price = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, assumed: false };
const prices = { strong, fast };

describe("the estimate of a plan", () => {
  it("PLAN-1: a small plan of one task costs tens of cents, at most a few dollars", () => {
    const estimate = estimateCost({ plan: plan(), spentUsd: 0.1, prices });
    expect(Estimate.parse(estimate)).toEqual(estimate);
    expect(estimate.lowUsd).toBeGreaterThan(0.3);
    expect(estimate.highUsd).toBeLessThan(4);
    expect(estimate.highUsd).toBeGreaterThan(2 * estimate.lowUsd);
    expect(estimate.minutes).toBeGreaterThan(3);
    expect(estimate.minutes).toBeLessThan(20);
  });

  it.each(["hours-bug", "hours-feature"])(
    "PLAN-1: says of %s, which a reader has done, about what it came to",
    (name) => {
      const { outcome } = JSON.parse(readFileSync(`fixtures/trials/${name}.json`, "utf8"));
      const agents: readonly { costUsd: number }[] = outcome.agents;
      const cost = agents.reduce((sum, { costUsd }) => sum + costUsd, 0);
      const asked = {
        strong: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, assumed: false },
        fast: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125, assumed: false },
      };
      const { lowUsd, highUsd } = estimateCost({ plan: outcome.plan, spentUsd: agents[0]!.costUsd, prices: asked });
      expect(lowUsd).toBeLessThan(1.4 * cost);
      expect(highUsd).toBeGreaterThan(cost);
    },
  );

  it("PLAN-1: what was spent is part of it, and of both ends", () => {
    const [none, some] = [0, 1].map((spentUsd) => estimateCost({ plan: plan(), spentUsd, prices }));
    expect(some!.lowUsd - none!.lowUsd).toBeCloseTo(1);
    expect(some!.highUsd - none!.highUsd).toBeCloseTo(1);
  });

  it("PLAN-1: counts on the provider's cache at the low end only", () => {
    const uncached = { strong: { ...strong, cacheRead: strong.input }, fast: { ...fast, cacheRead: fast.input } };
    const cached = estimateCost({ plan: plan(), spentUsd: 0, prices });
    const dear = estimateCost({ plan: plan(), spentUsd: 0, prices: uncached });
    expect(dear.lowUsd).toBeGreaterThan(1.5 * cached.lowUsd);
    expect(dear.highUsd).toBe(cached.highUsd);
  });

  it("PLAN-1: grows with tasks, files, complexity and price, and costs nothing where models do", () => {
    const base = estimateCost({ plan: plan(), spentUsd: 0, prices });
    const [task] = plan().tasks;
    const dearer = [
      { plan: plan({ tasks: [task!, { ...task!, id: "2" }] }), spentUsd: 0, prices },
      { plan: plan({ tasks: [{ ...task!, files: [...task!.files, "a.ts", "b.ts"] }] }), spentUsd: 0, prices },
      { plan: plan({ complexity: "large" }), spentUsd: 0, prices },
      { plan: plan(), spentUsd: 0, prices: { strong: { ...strong, input: 10, cacheRead: 1 }, fast } },
    ].map(estimateCost);
    for (const each of dearer) {
      expect(each.lowUsd).toBeGreaterThan(base.lowUsd);
      expect(each.highUsd).toBeGreaterThan(base.highUsd);
    }
    const free: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, assumed: false };
    expect(estimateCost({ plan: plan(), spentUsd: 0, prices: { strong: free, fast: free } })).toMatchObject({
      lowUsd: 0,
      highUsd: 0,
    });
  });
});
