import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../src/agents/agent-definition.ts";
import type { End, LoopState } from "../../../src/agents/loop/loop-state.ts";
import { DEFAULT_REPO_CONFIG } from "../../../src/domain/repo-config.ts";
import { impulseOf, shouldReopen, takeUp } from "../../../src/pipeline/ai/take-up.ts";
import { extendConfiguration } from "../../../src/pipeline/review/ai/review-limits.ts";

const limits = { usd: [2, 20, 200], iterations: 10, timeMs: 1000 };
const ended = (end: Omit<End, "message">, messages: LoopState["messages"] = []) =>
  ({
    standing: { is: "ended", end: { message: "", ...end } },
    messages,
    totalCalls: end.limit?.current ?? 0,
  }) as unknown as LoopState;
const at = (name: string, limit: number) => ({ name, limit, current: limit });

describe("SAFE-1: an agent goes on where its limit is another one now", () => {
  it.each<[string, Omit<End, "message">, boolean]>([
    ["the budget as it was", { reason: "budget", limit: at("cost", 2) }, false],
    ["a budget that was raised", { reason: "budget", limit: at("cost", 1) }, true],
    ["calls as before", { reason: "iteration_limit", limit: at("iterations", 10) }, false],
    ["more calls", { reason: "iteration_limit", limit: at("iterations", 5) }, true],
    ["time as before", { reason: "breaker", limit: at("time", 1000) }, false],
    ["more time", { reason: "breaker", limit: at("time", 900) }, true],
    ["errors", { reason: "breaker", limit: at("errors", 0.25) }, true],
    ["another breaker", { reason: "breaker", limit: at("tool_output:grep", 0) }, false],
    ["stopped", { reason: "stopped" }, true],
    ["done", { reason: "completed" }, false],
    ["stuck", { reason: "stagnated" }, false],
  ])("%s", (_what, end, goesOn) => {
    expect(shouldReopen(ended(end), limits)).toBe(goesOn);
    expect(impulseOf(ended(end), limits)).toEqual(goesOn ? { by: "reopening" } : undefined);
  });
});

it("SAFE-1: money that was added raises the limits of the review and its pull request, and no others", () => {
  const { safety } = extendConfiguration(DEFAULT_REPO_CONFIG, { usd: 3, minutes: 15 });
  expect(safety).toMatchObject({ cost: { review: 5, subject: 53, day: 200 }, time: { review: 45 } });
  expect(extendConfiguration(DEFAULT_REPO_CONFIG, { usd: 0, minutes: 0 })).toEqual(DEFAULT_REPO_CONFIG);
});

describe("LOOP-20: an agent that is taken up", () => {
  const definition = { type: "reviewer", iterationLimit: 8 } as unknown as AgentDefinition;
  const word = { usdLimits: [2], moreIterations: 0, timeMs: 1000 };

  it("begins with its own limit and what was added to it", () => {
    expect(takeUp(definition, "Read.", undefined, { ...word, moreIterations: 2, redirection: "locks first" })).toEqual({
      definition: { ...definition, iterationLimit: 10 },
      task: "Read.\n\nInstruction of a person: locks first",
      impulse: undefined,
    });
  });

  it("goes on with exactly the calls that were added", () => {
    const state = ended({ reason: "iteration_limit", limit: at("iterations", 8) });
    const { definition: on, task, impulse } = takeUp(definition, "Read.", state, { ...word, moreIterations: 2 });
    expect([on.iterationLimit, task, impulse]).toEqual([2, "Read.", { by: "reopening" }]);
    expect(takeUp(definition, "Read.", state, word).impulse).toBeUndefined();
  });
});

describe("instructions of whoever resumed", () => {
  const ready = (messages: LoopState["messages"] = []) =>
    ({ standing: { is: "ready" }, messages }) as unknown as LoopState;

  it("reach an agent that has not finished, once", () => {
    expect(impulseOf(ready(), limits)).toBeUndefined();
    expect(impulseOf(ready(), limits, "locks first")).toEqual({ by: "instruction", text: "locks first" });
    const said = {
      role: "user",
      content: [{ type: "text", text: "New instruction of a person: locks first" }],
    } as const;
    expect(impulseOf(ready([said] as never), limits, "locks first")).toBeUndefined();
    expect(impulseOf(ended({ reason: "completed" }), limits, "locks first")).toBeUndefined();
    const raised = ended({ reason: "budget", limit: at("cost", 1) });
    expect(impulseOf(raised, limits, "locks first")).toEqual({ by: "instruction", text: "locks first" });
  });

  it("a wait that the provider asked for is over when the run is taken up again", () => {
    const wait = { for: "provider", until: 5, message: "" };
    const waits = { standing: { is: "waiting", wait }, messages: [] } as unknown as LoopState;
    expect(impulseOf(waits, limits)).toEqual({ by: "reopening" });
  });
});
