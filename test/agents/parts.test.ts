import { describe, expect, it } from "vitest";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { USUAL_SHARES } from "../../src/agents/loop/gather-context.ts";
import type { Hooks } from "../../src/agents/loop/hooks.ts";
import { LoopEvent } from "../../src/agents/loop/loop-event.ts";
import { composeSystem, inheritLayers, type PromptLayer } from "../../src/agents/loop/prompt-layers.ts";
import { RunReport, reportRun } from "../../src/agents/loop/run-report.ts";
import type { ContextSources } from "../../src/agents/ports.ts";
import { chain, consolidate, delegate } from "../../src/agents/several.ts";
import { ToolFailure } from "../../src/tools/tool.ts";
import { call, definition, done, kit, readTool, scripted, tool } from "./kit.ts";

const layer = (name: string, priority: number, over: Partial<PromptLayer> = {}): PromptLayer => ({
  name,
  priority,
  text: name,
  tags: [],
  owner: "test",
  stable: true,
  ...over,
});

describe("layers of the system prompt", () => {
  it("LOOP-3: stable layers come first by priority, and the cache breaks after the last of them", () => {
    const layers = [
      layer("run", 90, { stable: false }),
      layer("rules", 20),
      layer("role", 10),
      layer("empty", 5, { text: " " }),
    ];
    expect(composeSystem(layers)).toEqual([{ text: "role" }, { text: "rules", cache: true }, { text: "run" }]);
  });

  it("LOOP-3: a child inherits, overrides and adds; a circle and an unknown parent are errors", () => {
    const base = { name: "base", layers: [layer("role", 10), layer("rules", 20)] };
    const child = { name: "child", parent: "base", layers: [layer("rules", 20, { text: "other" }), layer("more", 15)] };
    expect(inheritLayers("child", [base, child]).map(({ text }) => text)).toEqual(["role", "more", "other"]);
    const round = [{ ...base, parent: "child" }, child];
    expect(() => inheritLayers("child", round)).toThrow("child → base → child");
    expect(() => inheritLayers("nobody", round)).toThrow("no prompt context nobody");
  });

  it("LOOP-3: system prompt, tools and former messages are sent again byte by byte", async () => {
    const model = scripted([call(["read", { path: "a" }]), call(["read", { path: "b" }]), done()]);
    await createAgentLoop(definition(), kit(model).dependencies).run();
    for (const [index, request] of model.requests.slice(1).entries()) {
      const before = model.requests[index]!;
      expect(JSON.stringify([request.system, request.tools])).toBe(JSON.stringify([before.system, before.tools]));
      const front = JSON.stringify(before.messages).slice(0, -1);
      expect(JSON.stringify(request.messages).startsWith(front)).toBe(true);
    }
  });
});

describe("context", () => {
  const piece = (name: string, tokens: number) => ({ text: `${name}:${"x".repeat(tokens * 4 - name.length - 1)}` });
  async function gathered(sources: ContextSources["sources"], tokens: number, over: object = {}) {
    const model = scripted([done()]);
    const context = { task: "TASK", shares: USUAL_SHARES, sources };
    await createAgentLoop(
      definition(),
      kit(model, { context, inputTokensFor: () => tokens, ...over }).dependencies,
    ).run();
    const block = model.requests[0]!.messages[0]!.content[0]!;
    return "text" in block ? block.text.split("\n\n").map((part) => part.slice(0, 2)) : [];
  }
  const many = (name: string) => async () => Array.from({ length: 50 }, (_, index) => piece(`${name}${index}`, 96));

  it("LOOP-2: each part gets its share, and the task stands last and whole", async () => {
    const parts = await gathered({ memories: many("m"), conversation: many("c"), environment: many("e") }, 3_000);
    const count = (name: string) => parts.filter((part) => part.startsWith(name)).length;
    expect(parts.at(-1)).toBe("TA");
    const all = count("m") + count("c") + count("e");
    expect(count("m") / all).toBeCloseTo(0.6, 1);
    expect(count("c") / all).toBeCloseTo(0.3, 1);
    expect(count("e")).toBeGreaterThan(1);
  });

  it("LOOP-2: what a part leaves unused goes to the others", async () => {
    const parts = await gathered({ environment: many("e") }, 3_000);
    expect(parts.filter((part) => part.startsWith("e")).length).toBeGreaterThan(20);
    expect((await gathered({ memories: async () => [piece("m0", 9_000), piece("m1", 50)] }, 3_000))[0]).toBe("m1");
  });

  it("LOOP-2: no more is gathered than the remaining money buys", async () => {
    expect(await gathered({ memories: many("m") }, 100)).toEqual(["TA"]);
  });
});

describe("hooks", () => {
  const play = async (hooks: Hooks, tools = [readTool]) => {
    const model = scripted([call(["read", {}], ["read", {}]), done()]);
    const box = kit(model, { hooks: [hooks] });
    const state = await createAgentLoop(definition({ tools }), box.dependencies).run();
    const contents = state.messages[2]!.content.map((block) => ("content" in block ? block.content : ""));
    return { ...box, model, state, contents };
  };

  it("LOOP-17: see run, step and tool", async () => {
    const seen: string[] = [];
    await play({
      beforeRun: () => void seen.push("run"),
      beforeStep: () => (seen.push("step") ? "go_on" : "stop"),
      beforeTool: () => ({ do: seen.push("tool") ? "run" : "run" }),
      afterTool: async (_call, outcome) => {
        seen.push("done");
        return outcome;
      },
      afterStep: () => void seen.push("after"),
      afterRun: () => void seen.push("end"),
    });
    expect(seen).toEqual(["run", "step", "tool", "tool", "done", "done", "after", "step", "after", "end"]);
  });

  it("LOOP-17: can skip a tool, give its result, replace it, and mend an error", async () => {
    expect((await play({ beforeTool: () => ({ do: "skip", reason: "no need" }) })).contents[0]).toBe(
      "Not run: no need",
    );
    const given = await play({ beforeTool: () => ({ do: "override", text: "known" }) });
    expect(given.contents).toEqual(["known", "known"]);
    expect(given.types().filter((type) => type === "tool.skipped")).toHaveLength(2);
    expect((await play({ afterTool: () => ({ text: "replaced", isError: false }) })).contents[0]).toBe("replaced");
    const failing = tool("read", async () => {
      throw new ToolFailure("no", "no");
    });
    expect((await play({ onToolError: () => "fallback" }, [failing])).contents[0]).toBe("fallback");
  });

  it("LOOP-17: can stop, before a step and before a tool", async () => {
    const atStep = await play({ beforeStep: ({ calls }) => (calls === 1 ? "stop" : "go_on") });
    expect(atStep.state.standing).toMatchObject({ end: { reason: "stopped" } });
    expect(atStep.model.requests).toHaveLength(1);
    const atTool = await play({ beforeTool: ({ id }) => (id ? { do: "stop", reason: "enough" } : { do: "run" }) });
    expect(atTool.state.standing).toMatchObject({ end: { reason: "stopped", message: "enough" } });
  });

  it("LOOP-17: one instance runs once at a time", async () => {
    const loop = createAgentLoop(definition(), kit(scripted([done()])).dependencies);
    const running = loop.run();
    await expect(loop.run()).rejects.toThrow("one thing at a time");
    await running;
  });
});

describe("report and stream", () => {
  it("LOOP-18: the report tells steps, calls and totals, and fits its schema after JSON", async () => {
    const measured = tool("measured", async () => ({ text: "four", metrics: { lines: 4 }, warnings: ["slow"] }));
    const model = scripted([call(["measured", { path: "a" }], ["unknown", {}]), done()]);
    const state = await createAgentLoop(definition({ tools: [measured] }), kit(model).dependencies).run();
    const report = RunReport.parse(JSON.parse(JSON.stringify(reportRun(state, 2_000_000))));
    expect(report).toMatchObject({
      agent: "Implementer",
      promptVersion: "1",
      models: ["script/scripted"],
      end: "completed",
      totals: { modelCalls: 2, toolCalls: 2, usage: { inputTokens: 200, outputTokens: 40 }, costUsd: 0.02 },
    });
    expect(report.id).toMatch(/^agent:implementer:/);
    expect(report.steps[0]!.calls).toMatchObject([
      {
        tool: "measured",
        arguments: '{"path":"a"}',
        outcome: "ok",
        resultCharacters: 4,
        metrics: { lines: 4 },
        warnings: ["slow"],
      },
      { tool: "unknown", outcome: "error", error: { code: "tool_unknown" } },
    ]);
  });

  it("LOOP-18: the stream tells a run from its first step to its end", async () => {
    const stream: LoopEvent[] = [];
    const loud = tool("loud", async (_input, { onOutput }) => {
      onOutput?.("line 1\n");
      return { text: "all" };
    });
    const { dependencies } = kit(scripted([call(["loud", {}]), done()]), {
      onEvent: (event) => void stream.push(LoopEvent.parse(event)),
    });
    await createAgentLoop(definition({ tools: [loud] }), dependencies).run();
    expect(stream.map(({ type }) => type)).toEqual([
      "step_started",
      "tool_started",
      "tool_output",
      "tool_ended",
      "step_ended",
      "step_started",
      "step_ended",
      "done",
    ]);
  });
});

describe("several agents", () => {
  const run = (answer: string) => () => createAgentLoop(definition(), kit(scripted([done(answer)])).dependencies).run();
  const broken = () =>
    createAgentLoop(definition(), kit(scripted([{ content: [] }, { content: [] }])).dependencies).run();

  it("LOOP-19: delegate gives a copy of what is known, and takes nothing back but the result", async () => {
    const parent = await createAgentLoop(definition(), kit(scripted([call(["read", {}]), done()])).dependencies).run();
    const before = structuredClone(parent);
    const model = scripted([done("part")]);
    const state = await delegate(
      parent,
      definition({ type: "ask", name: "Helper" }),
      kit(model).dependencies,
      "Do this part.",
    );
    expect(state.standing).toMatchObject({ end: { reason: "completed", output: { answer: "part" } } });
    expect(JSON.stringify(model.requests[0]!.messages)).toContain("content of the file");
    expect(JSON.stringify(model.requests[0]!.messages.at(-1))).toContain("Do this part.");
    expect(parent).toEqual(before);
    expect(state.agent.id).not.toBe(parent.agent.id);
  });

  it("LOOP-19: chain hands each output on, and ends with the first that fails", async () => {
    const tasks: string[] = [];
    const link = (answer: string) => (task: string) => {
      tasks.push(task);
      return run(answer)();
    };
    expect(await chain("begin", [link("one"), link("two")])).toHaveLength(2);
    expect(tasks).toEqual(["begin", '{"answer":"one"}']);
    expect(await chain("begin", [broken, link("never")])).toHaveLength(1);
  });

  it("LOOP-19: consolidate makes one of many, and names those that gave nothing", async () => {
    const failing = () => Promise.reject(new Error("no disk"));
    const { merged, missing } = await consolidate([run("a"), broken, failing, run("b")], (outputs) => outputs);
    expect(merged).toEqual([{ answer: "a" }, { answer: "b" }]);
    expect(missing).toMatchObject([{ index: 1 }, { index: 2, reason: "no disk" }]);
  });
});
