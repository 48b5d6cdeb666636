import { describe, expect, it } from "vitest";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { findHistoryFault } from "../../src/agents/loop/history.ts";
import { reportRun } from "../../src/agents/loop/run-report.ts";
import type { Learning } from "../../src/agents/ports.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import type { Model, StepResult } from "../../src/llm/ports.ts";
import { ToolFailure } from "../../src/tools/tool.ts";
import { call, definition, done, fail, kit, readTool, say, scripted, tool, trip, USAGE } from "./kit.ts";

describe("scenarios of the loop", () => {
  it("LOOP-7: tool error with retry: a tool that fails once is tried again, and the model sees the result only", async () => {
    let tries = 0;
    const flaky = tool("flaky", async () => {
      tries += 1;
      if (tries === 1) throw new Error("no luck, and a path: /home/someone");
      return { text: "worked" };
    });
    const model = scripted([call(["flaky", {}]), done()]);
    const { dependencies, events } = kit(model);
    const state = await createAgentLoop(definition({ tools: [flaky] }), dependencies).run();
    expect(tries).toBe(2);
    expect(JSON.stringify(state.messages)).toContain("worked");
    expect(events.find(({ type }) => type === "tool.completed")?.payload).toMatchObject({ retries: 1 });
  });

  it("LOOP-7: network errors are tried four times, waiting 1, 2 and 4 s; then the model reads an error", async () => {
    let tries = 0;
    const offline = tool("offline", async () => {
      tries += 1;
      throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    });
    const { dependencies, slept, recorded } = kit(scripted([call(["offline", {}]), done()]));
    await createAgentLoop(definition({ tools: [offline] }), dependencies).run();
    expect(tries).toBe(4);
    expect(slept).toEqual([1_000, 2_000, 4_000]);
    expect(recorded()?.messages[2]?.content[0]).toMatchObject({
      isError: true,
      content: "The network failed (ECONNREFUSED).",
    });
  });

  it("LOOP-7: a failure that the model should read is told in the tool's words; one of unknown cause is not", async () => {
    const missing = tool("missing", async () => {
      throw new ToolFailure("not_found", "There is no file a.ts.");
    });
    const broken = tool("broken", async () => {
      throw new Error("secret path /srv/forge");
    });
    const { dependencies } = kit(scripted([call(["missing", {}], ["broken", {}]), done()]));
    const state = await createAgentLoop(definition({ tools: [missing, broken] }), dependencies).run();
    const results = state.messages[2]!.content;
    expect(results[0]).toMatchObject({ isError: true, content: "There is no file a.ts." });
    expect(results[1]).toMatchObject({ isError: true, content: "The tool failed unexpectedly." });
    expect(JSON.stringify(state)).not.toContain("/srv/forge");
  });

  it("breaker trip: what a check forbids ends the loop before the next model call", async () => {
    const model = scripted(() => call(["read", {}]));
    const { dependencies, types } = kit(model, { checks: [({ calls }) => (calls >= 2 ? trip("errors") : undefined)] });
    const state = await createAgentLoop(definition(), dependencies).run();
    expect(model.requests).toHaveLength(2);
    expect(state.standing).toMatchObject({ is: "ended", end: { reason: "breaker", limit: { name: "errors" } } });
    expect(types().slice(-2)).toEqual(["breaker.tripped", "agent.failed"]);
    expect(findHistoryFault(state.messages)).toBeUndefined();
  });

  it("breaker trip: a result that was paid for is taken although the breaker tripped with its call", async () => {
    const { dependencies } = kit(scripted([call(["read", {}], ["complete", { answer: "paid" }])]), {
      checks: [({ calls }) => (calls >= 1 ? trip("cost") : undefined)],
    });
    const state = await createAgentLoop(definition(), dependencies).run();
    expect(state.standing).toMatchObject({ end: { reason: "completed", output: { answer: "paid" } } });
    expect(state.steps[0]!.calls[0]!.outcome).toBe("skipped");
  });

  it("LOOP-20, LOOP-12: a limit of N allows exactly N model calls, and a person's word gives as many again", async () => {
    let n = 0;
    const model = scripted(() => call(["read", { path: `${n++}` }]));
    const { dependencies, events } = kit(model);
    const loop = createAgentLoop(definition({ iterationLimit: 5 }), dependencies);
    expect((await loop.run()).standing).toMatchObject({
      end: { reason: "iteration_limit", limit: { limit: 5, current: 5 } },
    });
    expect(model.requests).toHaveLength(5);
    expect(events.filter(({ type }) => type === "agent.warning")).toHaveLength(1);
    const before = events.length;
    expect(events.at(-2)).toMatchObject({
      type: "breaker.tripped",
      payload: { breaker: "iterations", scope: "phase", limit: 5, current: 5 },
    });
    const state = await loop.run({ by: "reopening" });
    expect(events[before]).toMatchObject({ type: "breaker.reset", payload: { breaker: "iterations" } });
    expect(model.requests).toHaveLength(10);
    expect(state).toMatchObject({ calls: 5, totalCalls: 10 });
  });

  it("stagnation: the same step over and over asks a person, who can redirect it", async () => {
    const model = scripted((_request, index) => (index < 4 ? call(["read", { path: "a" }]) : done()));
    const { dependencies, types } = kit(model);
    const loop = createAgentLoop(definition(), dependencies);
    const stuck = await loop.run();
    expect(stuck.standing).toMatchObject({ is: "waiting", wait: { for: "answer" } });
    expect(model.requests).toHaveLength(4);
    expect(types().slice(-2)).toEqual(["agent.stagnated", "agent.escalated"]);
    const state = await loop.run({ by: "answer", text: "Look at b." });
    expect(state.standing).toMatchObject({ end: { reason: "completed" } });
    expect(JSON.stringify(model.requests.at(-1)!.messages.at(-1))).toContain("Answer of a person: Look at b.");
    expect(findHistoryFault(state.messages)).toBeUndefined();
  });

  it("stagnation: the same call failing in the same way three times is enough; without anybody to ask it ends", async () => {
    const failing = tool("failing", async () => {
      throw new ToolFailure("nope", "It does not work.");
    });
    const model = scripted(() => call(["failing", {}]));
    const { dependencies } = kit(model, { someoneToAsk: false });
    const state = await createAgentLoop(definition({ tools: [failing] }), dependencies).run();
    expect(model.requests).toHaveLength(3);
    expect(state.standing).toMatchObject({ end: { reason: "stagnated" } });
  });

  it("escalation: prose that asks a person for help becomes a question", async () => {
    const { dependencies, types } = kit(
      scripted([say("There are two ways. Could you clarify which one you want?"), done()]),
    );
    const loop = createAgentLoop(definition(), dependencies);
    const waiting = await loop.run();
    expect(waiting.standing).toMatchObject({ wait: { for: "answer", question: expect.stringContaining("two ways") } });
    expect(types().at(-1)).toBe("agent.escalated");
    expect((await loop.run({ by: "answer", text: "The first." })).standing).toMatchObject({
      end: { reason: "completed" },
    });
  });

  it("question and answer: ask_human waits, other calls of the reply wait with it, the answer is its result", async () => {
    const model = scripted([
      call(["read", {}], ["ask_human", { question: "A or B?", options: ["A", "B"] }], ["read", {}]),
      done(),
    ]);
    const first = kit(model);
    const waiting = await createAgentLoop(definition(), first.dependencies).run();
    expect(waiting.standing).toMatchObject({ wait: { for: "answer", question: "A or B?", options: ["A", "B"] } });
    // Another process takes it up from what was recorded.
    const state = await createAgentLoop(definition(), kit(model).dependencies, first.recorded()).run({
      by: "answer",
      text: "B",
    });
    const results = state.messages[2]!.content.map((block) => ("content" in block ? block.content : ""));
    expect(results).toEqual(["content of the file", "B", "content of the file"]);
    expect(state.calls).toBe(1);
    expect(state.totalCalls).toBe(2);
  });

  it("interrupt and redirect: stop ends after the step in flight and aborts tools; an instruction goes on elsewhere", async () => {
    let begun = () => {};
    const running = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = tool("slow", (_input, { signal }) => {
      begun();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    });
    const model = scripted([call(["slow", {}], ["read", {}]), done()]);
    const { dependencies, types } = kit(model);
    const loop = createAgentLoop(definition({ tools: [slow, readTool] }), dependencies);
    const ending = loop.run();
    await running;
    loop.stop();
    const stopped = await ending;
    expect(stopped.standing).toMatchObject({ is: "ended", end: { reason: "stopped" } });
    expect(types().at(-1)).toBe("agent.stopped");
    expect(findHistoryFault(stopped.messages)).toBeUndefined();
    const state = await loop.run({ by: "instruction", text: "Leave that; answer now." });
    expect(state.standing).toMatchObject({ end: { reason: "completed" } });
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("Leave that; answer now.");
    expect(model.requests[1]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  it("SAFE-2: budget: reserved before, settled after; without money no call is made", async () => {
    const model = scripted(() => call(["read", {}]));
    const { dependencies, money } = kit(model);
    money.limit = 0.025;
    const state = await createAgentLoop(definition(), dependencies).run();
    expect(state.standing).toMatchObject({ end: { reason: "budget", limit: { name: "cost" } } });
    expect(model.requests).toHaveLength(2);
    expect(money).toMatchObject({ spent: 0.02, reserved: 0 });
    expect(state.spentUsd).toBeCloseTo(0.02);
  });

  it("SAFE-1: tells the log once when little of the budget is left", async () => {
    let n = 0;
    const { dependencies, money, events } = kit(scripted(() => call(["read", { path: `${n++}` }])));
    money.limit = 0.105;
    await createAgentLoop(definition({ iterationLimit: 30 }), dependencies).run();
    const reached = events.flatMap((event) => (event.type === "cost.threshold_reached" ? [event.payload] : []));
    expect(reached).toHaveLength(1);
    expect(reached[0]?.leftUsd).toBeCloseTo(0.015);
    expect(reached[0]?.leftShare).toBeCloseTo(1 / 7);
  });

  it("SAFE-2: where the strong model does not fit into the budget any more, a cheaper one of the chain goes on", async () => {
    const strong = scripted([], { id: "strong" });
    const fast = scripted([done("cheap")], { id: "fast" });
    const { dependencies } = kit([strong, fast]);
    const reserve: typeof dependencies.budget.reserve = async (planned) =>
      planned.model === "strong" ? { ok: false, trip: trip("cost") } : dependencies.budget.reserve(planned);
    const state = await createAgentLoop(definition(), {
      ...dependencies,
      budget: { ...dependencies.budget, reserve },
    }).run();
    expect(state.standing).toMatchObject({ end: { reason: "completed", output: { answer: "cheap" } } });
    expect(strong.requests).toHaveLength(0);
  });

  it("SAFE-2: a failed model call gives its reservation back", async () => {
    const { dependencies, money } = kit(scripted([fail({ class: "auth", message: "wrong key" })]));
    const state = await createAgentLoop(definition(), dependencies).run();
    expect(state.standing).toMatchObject({ end: { reason: "model_failed" } });
    expect(money).toMatchObject({ spent: 0, reserved: 0 });
  });

  it("CLI-4: a refused key is said once with what to do, and neither its provider nor a reflection is asked again", async () => {
    const strong = scripted([fail({ class: "auth", message: "The provider answered 401: invalid x-api-key" })]);
    const same = scripted([done("never")], { id: "fast" });
    const reflecting = scripted([]);
    const { dependencies, events } = kit([strong, same]);
    const reflection = { model: reflecting, estimateUsd: () => 0.001, remember: async () => {} };
    const state = await createAgentLoop(definition(), { ...dependencies, reflection }).run();
    const message =
      "The provider answered 401: invalid x-api-key. Check the API key and the address of the provider: Forge's command `doctor` tests both.";
    expect(state.standing).toMatchObject({ end: { reason: "model_failed", message } });
    expect([same.requests, reflecting.requests]).toEqual([[], []]);
    expect(events.map(({ type }) => type)).not.toContain("agent.reflected");
    const other = scripted([done("other")], { provider: "another" });
    const next = kit([scripted([fail({ class: "auth", message: "no" })]), other]);
    const went = await createAgentLoop(definition(), next.dependencies).run();
    expect(went.standing).toMatchObject({ end: { reason: "completed" } });
  });

  it("LOOP-10: compression: near the full context the middle becomes a summary, pairs stay whole, and an event says so", async () => {
    const long = tool("long", async () => ({ text: "x".repeat(8_000) }));
    const usage = (tokens: number) => ({
      inputTokens: Math.round(tokens),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 10,
    });
    const model = scripted(
      (request, index) =>
        index < 12
          ? { ...call(["long", { path: `${index}` }]), usage: usage(JSON.stringify(request.messages).length / 4) }
          : done(),
      { contextWindow: 18_000 },
    );
    const { dependencies, events } = kit(model);
    const state = await createAgentLoop(definition({ tools: [long] }), dependencies).run();
    expect(state.standing).toMatchObject({ end: { reason: "completed" } });
    const compressions = events.filter(({ type }) => type === "agent.compressed");
    expect(compressions.length).toBeGreaterThan(0);
    for (const { messages } of model.requests) {
      expect(JSON.stringify(messages).length / 4).toBeLessThan(18_000);
      expect(findHistoryFault(messages)).toBeUndefined();
    }
    expect(JSON.stringify(state.messages[0])).toContain('Called long {\\"path\\":\\"0\\"} which gave: xxx');
    expect(
      events.some(({ type, payload }) => type === "agent.warning" && "about" in payload && payload.about === "context"),
    ).toBe(true);
  });

  describe("reflection", () => {
    const learned = (text: string) => scripted([say(text)], { id: "fast" });
    const learning = { kind: "procedural", content: "Do it so.", context: "always", confidence: 0.7, tags: ["a"] };

    it("LOOP-13: reflection on success: only where the work was dear enough", async () => {
      for (const [answers, reflections] of [
        [3, 0],
        [12, 1],
      ] as const) {
        const kept: Learning[] = [];
        let n = 0;
        const model = scripted((_request, index) => (index < answers ? call(["read", { path: `${n++}` }]) : done()));
        const fast = learned(JSON.stringify({ learnings: [learning] }));
        const { dependencies, types } = kit(model, {
          reflection: { model: fast, estimateUsd: () => 0.01, remember: async (l) => void kept.push(...l) },
        });
        await createAgentLoop(definition(), dependencies).run();
        expect(kept).toHaveLength(reflections);
        expect(types().filter((type) => type === "agent.reflected")).toHaveLength(reflections);
      }
    });

    it("LOOP-13: reflection on error: a tool's failure is thought about once; what cannot be read is kept with little confidence", async () => {
      const kept: Learning[] = [];
      const failing = tool("failing", async () => {
        throw new ToolFailure("nope", "It does not work.");
      });
      const fast = learned(`I think ${"so ".repeat(400)}`);
      const { dependencies } = kit(scripted([call(["failing", {}]), call(["failing", {}]), done()]), {
        reflection: { model: fast, estimateUsd: () => 0.01, remember: async (l) => void kept.push(...l) },
      });
      await createAgentLoop(definition({ tools: [failing] }), dependencies).run();
      expect(fast.requests).toHaveLength(1);
      expect(kept).toEqual([expect.objectContaining({ confidence: 0.2, kind: "episodic" })]);
      expect(kept[0]!.content.length).toBeLessThanOrEqual(500);
    });

    it("LOOP-13: nothing waits for a reflection, its call is counted, and what failed is told as failing", async () => {
      const held = Promise.withResolvers<StepResult>();
      const asked: string[] = [];
      const model: Model = {
        ...scripted([]),
        step: async ({ messages }) => {
          asked.push(JSON.stringify(messages));
          return held.promise;
        },
      };
      const running = tool("run_tests", async () => ({ text: "1 failed", metrics: { passed: 2, failed: 1 } }));
      const command = tool("run_command", async () => ({ text: "no", metrics: { exit_code: 3 } }));
      const failing = tool("failing", async () => {
        throw new ToolFailure("nope", "It does not work.");
      });
      const later: Promise<readonly NewEvent[]>[] = [];
      const reflection = { model, estimateUsd: () => 0.01, remember: async () => {} };
      const script = scripted([call(["run_tests", {}], ["run_command", {}], ["failing", {}]), done()]);
      const tools = [running, command, failing];
      const { dependencies } = kit(script, { reflection: { ...reflection, later: (work) => later.push(work) } });
      const state = await createAgentLoop(definition({ tools }), dependencies).run();
      expect(state.standing.is).toBe("ended");
      expect(asked[0]).toContain("run_tests {}: failing: 1 of 3 tests failed");
      expect(asked[0]).toContain("run_command {}: failing: exit code 3");
      expect(asked[0]).toContain("failing {}: error (It does not work.)");
      held.resolve({ ok: true, content: [], stopReason: "end_turn", usage: USAGE, model: "fast", provider: "script" });
      const [events = []] = await Promise.all(later);
      expect(events.map(({ type }) => type)).toEqual(["agent.reflected"]);
      // Whoever takes nothing over has all of it in the report.
      const again = kit(scripted([call(["failing", {}]), done()]), { reflection });
      const whole = await createAgentLoop(definition({ tools: [failing] }), again.dependencies).run();
      expect(reportRun(whole, 0).totals).toMatchObject({ modelCalls: 3, reflections: 1 });
    });

    it("LOOP-13: a reflection that may cost more than ten cents is left out", async () => {
      const failing = tool("failing", async () => {
        throw new ToolFailure("nope", "It does not work.");
      });
      const fast = learned("never asked");
      const reflection = { model: fast, estimateUsd: () => 0.11, remember: async () => {} };
      const { dependencies } = kit(scripted([call(["failing", {}]), done()]), { reflection });
      await createAgentLoop(definition({ tools: [failing] }), dependencies).run();
      expect(fast.requests).toHaveLength(0);
    });

    it("LOOP-13: a phase that has spent its share reflects no more", async () => {
      let n = 0;
      const failing = tool("failing", async () => {
        throw new ToolFailure("nope", `It does not work, for the ${n++}th reason.`);
      });
      const fast = scripted(() => say("nothing"), { id: "fast" });
      const model = scripted((_request, index) => (index < 70 ? call(["failing", { path: `${index}` }]) : done()));
      const { dependencies } = kit(model, {
        reflection: { model: fast, estimateUsd: () => 0.01, remember: async () => {} },
      });
      const state = await createAgentLoop(definition({ tools: [failing], iterationLimit: 100 }), dependencies).run();
      expect(state.reflectionUsd).toBeLessThanOrEqual(0.5);
      expect([49, 50]).toContain(fast.requests.length);
    });
  });
});
