import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../../src/llm/ports.ts";
import { ASSUMED_PRICE, ceilingOf, costOf, OwnPrices, openPrices } from "../../src/llm/price.ts";

const own = OwnPrices.parse({ "llama3.2": { input: 0, output: 0 }, "gpt-5": { input: 9, output: 90, cacheRead: 1 } });

describe("the price of a model", () => {
  it("LLM-1: is the operator's own before any other", async () => {
    const priceOf = await openPrices(own);
    expect(priceOf("openai", "gpt-5")).toEqual({ input: 9, output: 90, cacheRead: 1, cacheWrite: 9, assumed: false });
    expect(priceOf("openai-compatible", "llama3.2")).toMatchObject({ input: 0, output: 0, assumed: false });
  });

  it("LLM-1: comes from the price list by exact id, with or without the day of its version", async () => {
    const priceOf = await openPrices({});
    expect(priceOf("openai", "gpt-5.1")).toMatchObject({ input: 1.25, output: 10, cacheRead: 0.125, assumed: false });
    expect(priceOf("openai", "gpt-5.1-2025-11-13")).toEqual(priceOf("openai", "gpt-5.1"));
    // Behind a proxy it is priced as where it comes from.
    expect(priceOf("openai-compatible", "gpt-5.1")).toEqual(priceOf("openai", "gpt-5.1"));
    expect(priceOf("anthropic", "claude-haiku-4-5-20251001")).toMatchObject({ input: 1, output: 5, assumed: false });
  });

  it("knows the models that Forge uses when nothing is said", async () => {
    const priceOf = await openPrices({});
    for (const model of ["claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5"]) {
      expect(priceOf("anthropic", model).assumed).toBe(false);
    }
  });

  it.each([
    ["anthropic", "claude-sonnet-5-9", "the list takes it for claude-sonnet-5"],
    ["openai", "gpt-5.1-codex", "the list prices it as gpt-5.1"],
    ["anthropic", "something-new", "nobody knows it"],
    ["", "", "it has no name"],
  ])("LLM-1: of %s %s is a pessimistic ceiling, never zero: %s", async (provider, model) => {
    const priceOf = await openPrices({});
    expect(priceOf(provider, model)).toBe(ASSUMED_PRICE);
  });

  it("LLM-1: counts cache reads and writes", async () => {
    const price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, assumed: false };
    const usage = { inputTokens: 1000, cacheReadTokens: 10_000, cacheWriteTokens: 2000, outputTokens: 500 };
    expect(costOf(usage, price)).toBeCloseTo(0.002 + 0.002 + 0.005 + 0.005, 12);
    expect(costOf(NO_USAGE, price)).toBe(0);
  });

  it("rises for the whole call when its input is long", async () => {
    const price = (await openPrices({}))("anthropic", "claude-haiku-5-5");
    const usage = { ...NO_USAGE, inputTokens: 10_000, cacheReadTokens: 90_000, outputTokens: 1000 };
    expect(costOf(usage, price)).toBeCloseTo(0.001 + 0.0009 + 0.0005, 12);
    expect(costOf({ ...usage, cacheWriteTokens: 1 }, price)).toBeCloseTo(0.005 + 0.0045 + 0.0025, 5);
    const listed = (await openPrices({}))("anthropic", "claude-sonnet-4-5");
    expect(listed.long).toMatchObject({ above: 200_000, input: 6, output: 22.5 });
  });

  it("SAFE-2: is never above the ceiling that was set aside, however the input was cached", () => {
    const price = { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, assumed: false };
    const ceiling = ceilingOf({ inputTokens: 3000, outputTokens: 500 }, price);
    for (const part of ["inputTokens", "cacheReadTokens", "cacheWriteTokens"] as const) {
      expect(costOf({ ...NO_USAGE, [part]: 3000, outputTokens: 500 }, price)).toBeLessThanOrEqual(ceiling);
    }
  });

  it("CONF-2: refuses a negative or misspelt price", () => {
    expect(OwnPrices.safeParse({ a: { input: -1, output: 1 } }).success).toBe(false);
    expect(OwnPrices.safeParse({ a: { input: 1, outptu: 1 } }).success).toBe(false);
  });
});
