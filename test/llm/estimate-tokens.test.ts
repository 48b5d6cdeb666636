import { describe, expect, it } from "vitest";
import {
  Calibration,
  calibrate,
  calibrated,
  estimateRequestTokens,
  estimateTextTokens,
} from "../../src/llm/estimate-tokens.ts";
import { request, user } from "./requests.ts";

describe("an estimate of tokens", () => {
  it("LOOP-9: takes four characters of prose and code for a token", () => {
    const prose = "The limiter counts requests by address and by account, and forgets them after a minute. ".repeat(10);
    expect(estimateTextTokens(prose)).toBe(Math.ceil(prose.length / 4));
    const code = "export function readConfig(environment: Environment): Config {\n  return parse(environment);\n}\n";
    expect(estimateTextTokens(code)).toBe(Math.ceil(code.length / 4));
  });

  it("LOOP-9: takes JSON and logs for denser", () => {
    const log = '{"at":1763640000123,"code":503,"ms":[12,7,99],"ok":false}\n'.repeat(10);
    expect(estimateTextTokens(log)).toBe(Math.ceil(log.length / 2.2));
  });

  it("LOOP-9: takes Chinese, Japanese and Korean for denser still, and other letters not", () => {
    expect(estimateTextTokens("请检查这个文件".repeat(12))).toBe(Math.ceil((7 * 12) / 1.2));
    expect(estimateTextTokens("проверьте этот файл пожалуйста!!")).toBe(8);
    expect(estimateTextTokens("")).toBe(0);
  });

  it("counts everything that a request sends", () => {
    const small = estimateRequestTokens(request());
    expect(estimateRequestTokens(request({ system: [] }))).toBeLessThan(small);
    expect(estimateRequestTokens(request({ tools: [] }))).toBeLessThan(small);
    const call = { type: "tool_use" as const, id: "a", name: "read_file", input: { path: "x".repeat(400) } };
    const result = { type: "tool_result" as const, toolUseId: "a", content: "y".repeat(4000), isError: false };
    const thought = { type: "thinking" as const, thinking: "z".repeat(400), signature: "sealed" };
    const messages = [
      user("go"),
      { role: "assistant" as const, content: [thought, call] },
      { role: "user" as const, content: [result] },
    ];
    expect(estimateRequestTokens(request({ messages }))).toBeGreaterThan(small + 1100);
  });

  it("estimates five megabytes of code and Chinese closely", () => {
    const text = `${"const value = 1;\n".repeat(150_000)}${"请检查这个文件".repeat(350_000)}`;
    const [code, cjk] = [150_000 * 17, 350_000 * 7];
    const expected = code / 4 + cjk / 1.2;
    expect(Math.abs(estimateTextTokens(text) / expected - 1)).toBeLessThan(0.1);
  });
});

describe("the calibration of a model", () => {
  it("LOOP-9: follows what the model really counted, and for that model only", () => {
    let state: Calibration = {};
    for (let step = 0; step < 5; step += 1) state = calibrate(state, "a", 1000, 1300);
    expect(calibrated(state, "a", 2000)).toBe(2600);
    expect(calibrated(state, "b", 2000)).toBe(2000);
  });

  it("begins with what is known of the models that cut finer", () => {
    expect(calibrated({}, "claude-haiku-5-5", 1000)).toBe(1300);
    expect(calibrated({}, "claude-haiku-4-5", 1000)).toBe(1000);
    expect(calibrated({ "claude-haiku-5-5": 1.1 }, "claude-haiku-5-5", 1000)).toBe(1100);
  });

  it("is moved by one odd call, not turned over", () => {
    const state = calibrate({ a: 1 }, "a", 1000, 3000);
    expect(state.a).toBeCloseTo(1.6);
    expect(calibrate({ a: 1 }, "a", 1000, 1_000_000).a).toBeCloseTo(1.9);
  });

  it("learns nothing from short requests or from no count", () => {
    expect(calibrate({ a: 1.2 }, "a", 150, 900)).toEqual({ a: 1.2 });
    expect(calibrate({ a: 1.2 }, "a", 1000, 0)).toEqual({ a: 1.2 });
  });

  it("is restored from what was stored", () => {
    const state = calibrate({}, "a", 1000, 1300);
    expect(Calibration.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });
});
