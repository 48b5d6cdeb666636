import { describe, expect, it } from "vitest";
import type { StepResult } from "../../../src/llm/ports.ts";
import { watchErrors } from "../../../src/pipeline/ai/watch-errors.ts";
import { ToolFailure } from "../../../src/tools/tool.ts";
import { fail, scripted, tool } from "../../agents/kit.ts";

const facts = { calls: 0, totalCalls: 0, spentUsd: 0, activeMs: 0 };
const request = { system: [], messages: [], tools: [], maxOutputTokens: 1 };
const signal = new AbortController().signal;

function watch() {
  let now = 1_000_000;
  const errors = watchErrors(() => now);
  return {
    errors,
    trips: () => errors.check({ ...facts, now }),
    wait: (ms: number) => {
      now += ms;
    },
    ask: async (times: number, failure?: Extract<StepResult, { ok: false }>["failure"]) => {
      const model = errors.model(scripted(failure ? () => fail(failure) : []));
      for (let call = 0; call < times; call += 1) await model.step(request, { signal });
    },
    use: async (times: number, run: () => Promise<{ text: string }>) => {
      const used = errors.tool(tool("used", run));
      for (let call = 0; call < times; call += 1) await used.run({}, { signal }).catch(() => undefined);
    },
  };
}

const OVERLOADED = { class: "overloaded", message: "529" } as const;

describe("the breaker of errors at work", () => {
  it("SAFE-1: warns from a tenth of failed calls on and halts from a quarter, over models and tools together", async () => {
    const { errors, trips, ask, use } = watch();
    await ask(9);
    await use(9, async () => ({ text: "fine" }));
    await ask(1, OVERLOADED);
    expect([errors.areMany(), trips()]).toEqual([false, undefined]);
    await use(1, async () => Promise.reject(new TypeError("broken")));
    expect([errors.areMany(), trips()]).toEqual([true, undefined]);
    await ask(4, OVERLOADED);
    expect(trips()).toMatchObject({ breaker: "errors", message: expect.stringContaining("25 % of the last 24 calls") });
  });

  it("SAFE-1: judges by ten calls at least, and forgets after five minutes", async () => {
    const { trips, ask, wait } = watch();
    await ask(9, OVERLOADED);
    expect(trips()).toBeUndefined();
    await ask(1, OVERLOADED);
    expect(trips()).toBeDefined();
    wait(6 * 60_000);
    expect(trips()).toBeUndefined();
  });

  it("does not count as errors what a model asked in vain, what is too long, or what was stopped", async () => {
    const { errors, ask, use } = watch();
    await ask(20);
    await use(20, async () => Promise.reject(new ToolFailure("not_found", "There is no such file.")));
    await ask(20, { class: "too_long", message: "too long" });
    await ask(20, { class: "aborted", message: "stopped" });
    expect(errors.areMany()).toBe(false);
  });

  it("counts a tool that was cut off once, though it never ends", async () => {
    const { errors, trips } = watch();
    const hanging = errors.tool(tool("hanging", () => new Promise(() => {})));
    for (let call = 0; call < 10; call += 1) {
      const cut = new AbortController();
      void hanging.run({}, { signal: cut.signal });
      cut.abort();
    }
    expect(trips()).toMatchObject({ current: 1, message: expect.stringContaining("100 % of the last 10 calls") });
  });
});
