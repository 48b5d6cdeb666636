import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { callModel } from "../../src/agents/loop/call-model.ts";
import { findHistoryFault } from "../../src/agents/loop/history.ts";
import { reportRun } from "../../src/agents/loop/run-report.ts";
import type { Message, Model, StepResult } from "../../src/llm/ports.ts";
import { call, definition, done, fail, kit, type Reply, readTool, say, scripted, tool, USAGE } from "./kit.ts";

async function play(script: readonly Reply[], over: Parameters<typeof definition>[0] = {}) {
  const model = scripted(script);
  const box = kit(model);
  const state = await createAgentLoop(definition(over), box.dependencies).run();
  for (const { messages } of model.requests) expect(findHistoryFault(messages)).toBeUndefined();
  expect(box.money.reserved).toBeCloseTo(0);
  const last = (index: number) => JSON.stringify(model.requests[index]?.messages.at(-1));
  return { ...box, model, state, end: state.standing.is === "ended" ? state.standing.end : undefined, last };
}

describe("bad replies", () => {
  it.each([
    ["an empty reply", { content: [] }, "was empty"],
    ["a reply of blanks", say(" \n "), "was empty"],
    ["a reply of thoughts only", { content: [{ type: "thinking" as const, thinking: "hm" }] }, "was empty"],
    ["prose only", say("The answer is 42."), "called no tool"],
    ["a reply cut at max_tokens", say("The answer", "max_tokens"), "cut off"],
  ])("LOOP-4: %s is fed back once, then it fails", async (_name, reply, note) => {
    const mended = await play([reply, done()]);
    expect(mended.end?.reason).toBe("completed");
    expect(mended.last(1)).toContain(note);
    const twice = await play([reply, reply]);
    expect(twice.end?.reason).toBe("no_usable_reply");
    expect(twice.model.requests).toHaveLength(2);
  });

  it("LOOP-4: only odd replies in a row count", async () => {
    const { end } = await play([
      say(""),
      call(["read", { path: "a" }]),
      say(""),
      call(["read", { path: "b" }]),
      done(),
    ]);
    expect(end?.reason).toBe("completed");
  });

  it("LOOP-4: words are the answer of an agent without an output schema", async () => {
    const { output: _none, ...wordy } = definition();
    const box = kit(scripted([say("It is 42.")]));
    const state = await createAgentLoop(wordy, box.dependencies).run();
    expect(state.standing).toMatchObject({ end: { reason: "completed", output: "It is 42." } });
  });

  it("LOOP-6: several calls are answered in their order, though the last of them ends first", async () => {
    const ended = Promise.withResolvers<void>();
    const slow = tool("slow", async () => {
      await ended.promise;
      return { text: "slow" };
    });
    const quick = tool("quick", async () => {
      ended.resolve();
      return { text: "quick" };
    });
    const { state } = await play([call(["slow", {}], ["quick", {}]), done()], { tools: [slow, quick] });
    expect(state.messages[2]!.content.map((block) => "content" in block && block.content)).toEqual(["slow", "quick"]);
  });

  it("LOOP-6: only calls that read run at the same time", async () => {
    const running: string[] = [];
    const together: string[] = [];
    const counting = (name: string, readOnly: boolean) =>
      tool(
        name,
        async () => {
          together.push(...running.map((other) => `${other} and ${name}`));
          running.push(name);
          // As long as whoever else is begun takes to begin.
          for (let turn = 0; turn < 20; turn += 1) await setImmediate();
          running.splice(running.indexOf(name), 1);
          return { text: name };
        },
        { readOnly },
      );
    const reader = counting("reader", true);
    const writer = counting("writer", false);
    await play([call(["reader", {}], ["reader", {}], ["writer", {}], ["reader", {}], ["writer", {}]), done()], {
      tools: [reader, writer],
    });
    expect(together).toEqual(["reader and reader"]);
  });

  it("LOOP-6: an unknown tool is an error that names the tools there are", async () => {
    const { end, last } = await play([call(["rm_rf", {}]), done()]);
    expect(end?.reason).toBe("completed");
    expect(last(1)).toContain("There is no tool rm_rf. There are: read, complete, ask_human.");
  });

  it("LOOP-6: wrong arguments are an error in zod's words, and the tool does not run", async () => {
    let ran = false;
    const strict = tool("strict", async () => {
      ran = true;
      return { text: "" };
    });
    const { last } = await play([call(["strict", { path: 7 }]), done()], { tools: [strict] });
    expect(ran).toBe(false);
    expect(last(1)).toContain("expected string, received number");
  });

  it("LOOP-4: arguments that do not parse are an error, never an empty object", async () => {
    let ran = false;
    const free = tool("free", async () => {
      ran = true;
      return { text: "" };
    });
    const reply: Reply = {
      content: [{ type: "tool_use", id: "t1", name: "free", input: null, unparsed: '{"path": "a' }],
      stop: "max_tokens",
    };
    const { last } = await play([reply, done()], { tools: [free] });
    expect(ran).toBe(false);
    expect(last(1)).toContain("not JSON");
  });

  it("LOOP-6: a result that does not fit the schema can be handed in again", async () => {
    const { end, last } = await play([call(["complete", { answer: 1 }]), done("right")]);
    expect(last(1)).toContain("The result does not fit");
    expect(end?.output).toEqual({ answer: "right" });
  });

  it("calls with the same id or none get ids of their own", async () => {
    const twin = { type: "tool_use" as const, id: "same", name: "read", input: {} };
    const { end } = await play([{ content: [twin, twin, { ...twin, id: "" }], stop: "tool_use" }, done()]);
    expect(end?.reason).toBe("completed");
  });

  it("a reply of 5 MB is cut before it is kept, and so is the result of a tool", async () => {
    const huge = "x".repeat(5_000_000);
    const loud = tool("loud", async () => ({ text: huge }));
    const { state, checkpoints, end } = await play(
      [
        {
          content: [
            { type: "text", text: huge },
            ...(call(["loud", {}], ["read", { path: huge }]) as { content: [] }).content,
          ],
          stop: "tool_use",
        },
        done(),
      ],
      { tools: [loud, readTool] },
    );
    expect(end?.reason).toBe("completed");
    expect(JSON.stringify(state).length).toBeLessThan(200_000);
    expect(JSON.stringify(checkpoints).length).toBeLessThan(200_000);
    expect(JSON.stringify(state.messages)).toContain("more characters. Ask for a smaller part.");
  });

  it("LOOP-11: an endless loop of the same call ends", async () => {
    const { model, state } = await play(Array.from({ length: 60 }, () => call(["read", { path: "a" }])));
    expect(model.requests.length).toBeLessThan(6);
    expect(state.standing.is).toBe("waiting");
  });

  it("a refusal ends the loop, as a stop reason and as a failure", async () => {
    expect((await play([say("I cannot help with that.", "refusal")])).end?.reason).toBe("refused");
    expect((await play([fail({ class: "refused", message: "policy" })])).end?.reason).toBe("refused");
  });

  it("a paused turn goes on", async () => {
    const { end, last } = await play([say("Working", "pause_turn"), done()]);
    expect(end?.reason).toBe("completed");
    expect(last(1)).toContain("Go on.");
  });

  it("LOOP-10: a full context is compressed once and asked again; where that is no help the loop ends", async () => {
    const reads = Array.from({ length: 4 }, (_, index) => call(["read", { path: `${index}` }]));
    const tooLong = fail({ class: "too_long", message: "prompt is too long" });
    const helped = await play([...reads, tooLong, done()]);
    expect(helped.end?.reason).toBe("completed");
    expect(helped.types()).toContain("agent.compressed");
    expect(helped.model.requests[5]!.messages.length).toBeLessThan(helped.model.requests[4]!.messages.length);
    expect((await play([...reads, tooLong, tooLong])).end?.reason).toBe("context_exceeded");
    const stopped = await play([...reads, say("…", "context_exceeded"), done()]);
    expect(stopped.end?.reason).toBe("completed");
    expect(stopped.state.totalCalls).toBe(6);
  });
});

describe("bad providers", () => {
  const overloaded = fail({ class: "overloaded", message: "529", status: 529 });

  it("LOOP-7: a transient failure is tried once more after 5 s, or after what the provider asks for up to 60 s", async () => {
    const plain = await play([overloaded, done()]);
    expect(plain.end?.reason).toBe("completed");
    expect(plain.slept).toEqual([5_000]);
    const asked = await play([fail({ class: "rate_limited", message: "429", retryAfterMs: 30_000 }), done()]);
    expect(asked.slept).toEqual([30_000]);
    expect(asked.types().filter((type) => type.startsWith("error."))).toEqual(["error.occurred", "error.recovered"]);
  });

  it("LOOP-21: for the key of a request each message is read once, and another history has another", async () => {
    let read = 0;
    const keys: unknown[] = [];
    const told = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });
    const first = Object.assign(told("first"), { toJSON: () => `first ${++read}` });
    const answering = scripted(() => done());
    const model: Model = {
      ...answering,
      step: (request, options) => {
        keys.push(options.idempotencyKey);
        return answering.step({ ...request, messages: [] }, options);
      },
    };
    const { dependencies } = kit(model);
    const base = { system: [], tools: [], maxOutputTokens: 10 };
    const ask = async (...messages: Message[]) => {
      const asking = { inputTokens: 1, purpose: "step", name: "one", signal: new AbortController().signal } as const;
      await callModel(dependencies, { ...asking, request: () => ({ ...base, messages }), onError: () => undefined });
    };
    await ask(first);
    await ask(first);
    await ask(first, told("second"));
    await ask(first, told("third"));
    expect(read).toBe(1);
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2, 3]);
  });

  it("LOOP-18: an answer that had to be asked for again is told, and asked for under the same key where nobody knows what became of it", async () => {
    const model = scripted((_, at) => {
      if (at === 0) return fail({ class: "timeout", message: "silent" });
      return at === 1 ? fail({ class: "overloaded", message: "busy" }) : done();
    });
    const keys: unknown[] = [];
    const listening: Model = {
      ...model,
      step: (request, options) => {
        keys.push(options.idempotencyKey);
        return model.step(request, options);
      },
    };
    const { dependencies } = kit(listening, { settings: { attempts: 3 } });
    const state = await createAgentLoop(definition(), dependencies).run();
    const report = reportRun(state, 0);
    expect(report.steps[0]!.late).toMatchObject({ attempts: 3 });
    expect(report.totals.lateAnswers).toBe(1);
    // After the answer "busy" the provider would say that again to the same key.
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
  });

  it("LOOP-7: then the fallback is asked, then it fails", async () => {
    const first = scripted(() => overloaded);
    const second = scripted([done("from the second")], { id: "second" });
    const { dependencies } = kit([first, second]);
    const state = await createAgentLoop(definition(), dependencies).run();
    expect(first.requests).toHaveLength(2);
    expect(state.standing).toMatchObject({ end: { reason: "completed", output: { answer: "from the second" } } });
    expect((await play([overloaded, overloaded])).end?.reason).toBe("model_failed");
  });

  it.each(["auth", "invalid", "spend_limit"] as const)(
    "LOOP-7: %s is not tried again at the same model",
    async (kind) => {
      const { model, end } = await play([fail({ class: kind, message: "no" }), done()]);
      expect(model.requests).toHaveLength(1);
      expect(end?.reason).toBe("model_failed");
    },
  );

  it("LOOP-7: a wait of an hour parks the run until then, and it goes on afterwards", async () => {
    const model = scripted([fail({ class: "rate_limited", message: "429", retryAfterMs: 3_600_000 }), done()]);
    const { dependencies, slept } = kit(model);
    let later = 0;
    const clock = { ...dependencies.clock, now: () => dependencies.clock.now() + later };
    const loop = createAgentLoop(definition(), { ...dependencies, clock });
    const parked = await loop.run();
    expect(parked.standing).toMatchObject({ is: "waiting", wait: { for: "provider" } });
    expect(slept).toEqual([]);
    expect((await loop.run()).standing).toEqual(parked.standing);
    later = 3_600_000;
    expect((await loop.run()).standing).toMatchObject({ end: { reason: "completed" } });
  });

  it("SAFE-2: a stream that was cut is paid up to the cut, and counts", async () => {
    const cut = fail({ class: "transport", message: "cut", usage: USAGE });
    const { money, state, events, end } = await play([cut, done()]);
    expect(end?.reason).toBe("completed");
    expect(money.spent).toBeCloseTo(0.02);
    expect(state.spentUsd).toBeCloseTo(0.02);
    expect(events.find(({ type }) => type === "error.occurred")?.cost).toEqual({ tokens: 120, usd: 0.01 });
  });

  it("an adapter that throws all the same is a failed call, and no money stays reserved", async () => {
    const throwing = {
      ...scripted([]),
      step: async (): Promise<StepResult> => Promise.reject(new SyntaxError("malformed 200")),
    };
    const { dependencies, money } = kit(throwing);
    const state = await createAgentLoop(definition(), dependencies).run();
    expect(state.standing).toMatchObject({ end: { reason: "model_failed" } });
    expect(money.reserved).toBeCloseTo(0);
  });

  it("a process that goes away cuts the model call off and records nothing of it", async () => {
    const abort = new AbortController();
    const model = {
      ...scripted([]),
      step: async (): Promise<StepResult> => {
        abort.abort();
        return { ok: false, failure: { class: "aborted", message: "aborted" } };
      },
    };
    const { dependencies, checkpoints } = kit(model);
    const state = await createAgentLoop(definition(), dependencies, undefined, abort.signal).run();
    expect(state.standing).toEqual({ is: "ready" });
    expect(checkpoints).toEqual([]);
  });
});

describe("a process that goes away while a tool runs", () => {
  it.each([true, false])(
    "PIPE-7: pays no call twice, and runs the tool again when it is resumed (read-only: %s)",
    async (readOnly) => {
      const abort = new AbortController();
      let runs = 0;
      const slow = tool(
        "slow",
        (_input, { signal }) => {
          runs += 1;
          if (runs > 1) return Promise.resolve({ text: "done" });
          abort.abort();
          return new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(new Error("aborted"))),
          );
        },
        { readOnly },
      );
      const agent = definition({ tools: [slow] });
      const model = scripted([call(["slow", {}]), done()]);
      const first = kit(model);
      await createAgentLoop(agent, first.dependencies, undefined, abort.signal).run();
      expect(first.recorded()?.standing).toMatchObject({ is: "acting", open: { results: [] } });
      const state = await createAgentLoop(agent, kit(model).dependencies, first.recorded()).run();
      expect(state.messages[2]!.content).toMatchObject([{ content: "done", isError: false }]);
      expect(state.standing).toMatchObject({ end: { reason: "completed" } });
      expect([model.requests.length, runs]).toEqual([2, 2]);
    },
  );
});

describe("bad tools", () => {
  it("LOOP-6: a tool that hangs is aborted after its time, and the model reads why", async () => {
    let aborted = 0;
    const hanging = tool(
      "hanging",
      (_input, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            aborted += 1;
          });
        }),
      { timeoutMs: 5 },
    );
    const { last, slept } = await play([call(["hanging", {}]), done()], { tools: [hanging] });
    expect(aborted).toBe(4);
    expect(slept).toHaveLength(3);
    expect(last(1)).toContain("was aborted");
  });

  it("LOOP-7: a tool that may have changed something is not repeated after a time-out", async () => {
    let runs = 0;
    const run = () => {
      runs += 1;
      return new Promise<never>(() => {});
    };
    await play([call(["push", {}]), done()], { tools: [tool("push", run, { timeoutMs: 5, readOnly: false })] });
    expect(runs).toBe(1);
  });

  it("LOOP-7: a tool that gives back what no tool may is a bug: it trips the breaker", async () => {
    const broken = tool("broken", async () => ({ lines: [] }) as never);
    const { end, model } = await play([call(["broken", {}]), done()], { tools: [broken] });
    expect(end).toMatchObject({ reason: "breaker", limit: { name: "tool_output:broken" } });
    expect(model.requests).toHaveLength(1);
  });
});
