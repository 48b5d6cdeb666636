import { describe, expect, it } from "vitest";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { dump, restore } from "../../src/agents/loop/checkpoint.ts";
import type { Verdict } from "../../src/agents/loop/go-on.ts";
import { findHistoryFault } from "../../src/agents/loop/history.ts";
import { createPolicy } from "../../src/agents/loop/policy.ts";
import { call, definition, done, kit, readTool, scripted, tool } from "./kit.ts";

function setUp(over: Parameters<typeof kit>[1] = {}) {
  const ran: unknown[] = [];
  const run = tool(
    "run_command",
    async (input) => {
      ran.push(input);
      return { text: "ran" };
    },
    { readOnly: false },
  );
  const model = scripted([call(["read", {}], ["run_command", { text: "make" }], ["read", {}]), done()]);
  const box = kit(model, { policy: createPolicy({ deny: [], ask: ["run_command"] }), ...over });
  const agent = definition({ tools: [readTool, run] });
  return { ran, model, agent, ...box };
}

describe("approval of single tool calls", () => {
  it("LOOP-15: a call that needs a person suspends the run with the call stored, and no tool runs meanwhile", async () => {
    const { dependencies, agent, ran, types, recorded } = setUp();
    const state = await createAgentLoop(agent, dependencies).run();
    expect(state.standing).toMatchObject({
      is: "waiting",
      wait: { for: "approval", tool: "run_command", input: { text: "make" } },
    });
    expect(ran).toEqual([]);
    expect(types().at(-1)).toBe("tool.approval_requested");
    expect(recorded()?.standing).toEqual(JSON.parse(JSON.stringify(state.standing)));
  });

  it("LOOP-15: somebody may be there for approvals alone; questions are still not theirs", async () => {
    const { dependencies, agent, model } = setUp({ someoneToAsk: false, someoneToApprove: true });
    const state = await createAgentLoop(agent, dependencies).run();
    expect(state.standing).toMatchObject({ is: "waiting", wait: { for: "approval" } });
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain("ask_human");
  });

  it("LOOP-15: what a person says with an approval reaches the model with the results", async () => {
    const { dependencies, agent } = setUp();
    const waiting = await createAgentLoop(agent, dependencies).run();
    const verdict = { is: "approved", note: "only this once" } as const;
    const state = await createAgentLoop(agent, dependencies, waiting).run({ by: "approval", verdict });
    expect(JSON.stringify(state.messages[2])).toContain("Who approved the call of run_command said: only this once");
  });

  it("SAFE-3: an agent that is held for the money waits before it spends more, and goes on when it may", async () => {
    let held = true;
    const hold = async () => (held ? { usedUsd: 4.2, limitUsd: 5 } : undefined);
    const { dependencies, agent, ran, model } = setUp({ hold, policy: createPolicy({ deny: [], ask: [] }) });
    const waiting = await createAgentLoop(agent, dependencies).run();
    expect(waiting.standing).toEqual({ is: "waiting", wait: { for: "money", usedUsd: 4.2, limitUsd: 5 } });
    expect(model.requests).toHaveLength(0);
    const { state: restored } = restore(dump(waiting), agent);
    expect((await createAgentLoop(agent, dependencies, restored).run()).standing).toMatchObject({ is: "waiting" });
    held = false;
    const state = await createAgentLoop(agent, dependencies, restored).run({ by: "reopening" });
    expect(state.standing).toMatchObject({ end: { reason: "completed" } });
    expect(ran).toEqual([{ text: "make" }]);
  });

  it.each<[string, Verdict, readonly unknown[], string, boolean]>([
    ["approve: exactly that call runs", { is: "approved" }, [{ text: "make" }], "ran", false],
    ["deny: the model is told", { is: "denied", reason: "too risky" }, [], "a person denied it: too risky", true],
    ["skip: the model is told", { is: "skipped", reason: "not now" }, [], "a person skipped it: not now", true],
    [
      "override: the model gets the person's result",
      { is: "overridden", text: "built before" },
      [],
      "built before",
      false,
    ],
  ])("LOOP-15: %s, also from a dump in another process", async (_name, verdict, runs, text, isError) => {
    const { dependencies, agent, ran, model } = setUp();
    const waiting = await createAgentLoop(agent, dependencies).run();
    const { state: restored, warnings } = restore(dump(waiting), agent);
    expect(warnings).toEqual([]);
    const state = await createAgentLoop(agent, dependencies, restored).run({ by: "approval", verdict });
    expect(ran).toEqual(runs);
    const results = state.messages[2]!.content;
    expect(results[1]).toMatchObject({ content: expect.stringContaining(text), isError });
    expect(results).toHaveLength(3);
    expect(findHistoryFault(state.messages)).toBeUndefined();
    expect(state.standing).toMatchObject({ end: { reason: "completed" } });
    expect(model.requests).toHaveLength(2);
    expect(state.steps[0]!.calls.map(({ tool: name }) => name)).toEqual(["read", "run_command", "read"]);
  });

  it("LOOP-15: an approval holds for one call only", async () => {
    const { dependencies, agent, ran } = setUp();
    const model = scripted([call(["run_command", { text: "a" }], ["run_command", { text: "b" }]), done()]);
    const loop = createAgentLoop(agent, { ...dependencies, models: () => [model] });
    await loop.run();
    const again = await loop.run({ by: "approval", verdict: { is: "approved" } });
    expect(ran).toEqual([{ text: "a" }]);
    expect(again.standing).toMatchObject({ wait: { for: "approval", input: { text: "b" } } });
  });

  it("LOOP-15: nobody to ask means deny", async () => {
    const { dependencies, agent, ran, model } = setUp({ someoneToAsk: false });
    const state = await createAgentLoop(agent, dependencies).run();
    expect(state.standing).toMatchObject({ end: { reason: "completed" } });
    expect(ran).toEqual([]);
    expect(JSON.stringify(model.requests[1]!.messages.at(-1))).toContain("Nobody is there to approve it");
    expect(model.requests[0]!.tools.map(({ name }) => name)).not.toContain("ask_human");
  });

  it("LOOP-15: an instruction instead of a verdict leaves the open calls undone", async () => {
    const { dependencies, agent, ran, model } = setUp();
    const loop = createAgentLoop(agent, dependencies);
    await loop.run();
    const state = await loop.run({ by: "instruction", text: "Answer from what you know." });
    expect(ran).toEqual([]);
    expect(state.standing).toMatchObject({ end: { reason: "completed" } });
    expect(findHistoryFault(model.requests[1]!.messages)).toBeUndefined();
  });

  it("LOOP-15: a verdict without a call that waits is refused", async () => {
    const { dependencies, agent } = setUp();
    const loop = createAgentLoop(agent, dependencies);
    await expect(loop.run({ by: "approval", verdict: { is: "approved" } })).rejects.toThrow("does not wait");
  });

  it("LOOP-6: a call that may cost more than the limit is asked for; a denied one is an error", async () => {
    const dear = tool("dear", async () => ({ text: "" }), { estimateCostUsd: () => 2 });
    const policy = createPolicy({ deny: ["read"], ask: [], approveOverUsd: 1 });
    const { dependencies } = kit(scripted([call(["read", {}], ["dear", {}])]), { policy });
    const state = await createAgentLoop(definition({ tools: [readTool, dear] }), dependencies).run();
    expect(state.standing).toMatchObject({ wait: { for: "approval", reason: expect.stringContaining("$2.00") } });
    expect(JSON.stringify(state.standing)).toContain("read is not allowed");
  });

  it("LOOP-6: a program costs what the machine costs for as long as it may run", () => {
    const runs = tool("run_command", async () => ({ text: "" }), { mayRunMs: () => 600_000 });
    const asked = (machineUsdPerHour: number) =>
      createPolicy({ deny: [], ask: [], approveOverUsd: 0.02, machineUsdPerHour })({ id: "1", tool: runs, input: {} });
    expect(asked(0.12)).toEqual({ decision: "allow" });
    expect(asked(0.6)).toEqual({
      decision: "ask",
      reason: "It may cost $0.10, more than the $0.02 that need no approval.",
    });
  });
});

describe("dump and restore", () => {
  it("LOOP-16: warns of tools that came and went, and of a call that cannot run any more", async () => {
    const { dependencies, agent } = setUp();
    const waiting = await createAgentLoop(agent, dependencies).run();
    const fewer = { ...agent, tools: [readTool, tool("grep", async () => ({ text: "" }))] };
    expect(restore(dump(waiting), fewer).warnings).toEqual([
      "The tool run_command is not there any more.",
      "The tool grep was added.",
      "The call of run_command that waits cannot run.",
    ]);
  });

  it("LOOP-16: a run that is taken up under another definition says in its log what is different, once", async () => {
    const { dependencies, agent, types } = setUp();
    const waiting = await createAgentLoop(agent, dependencies).run();
    const more = { ...agent, tools: [...agent.tools, tool("grep", async () => ({ text: "" }))] };
    const verdict = { is: "skipped", reason: "x" } as const;
    await createAgentLoop(more, dependencies, waiting).run({ by: "approval", verdict });
    expect(types().filter((type) => type === "agent.warning")).toHaveLength(1);
  });

  it("LOOP-16: what was restored is the same, and gives the same next request", async () => {
    const { dependencies, agent, model } = setUp();
    const waiting = await createAgentLoop(agent, dependencies).run();
    const { state } = restore(dump(waiting), agent);
    expect(JSON.parse(dump(state))).toEqual(JSON.parse(dump(waiting)));
    const verdict = { is: "skipped", reason: "x" } as const;
    await createAgentLoop(agent, dependencies, state).run({ by: "approval", verdict });
    const direct = scripted([done()]);
    await createAgentLoop(agent, { ...dependencies, models: () => [direct] }, waiting).run({ by: "approval", verdict });
    expect(direct.requests[0]).toEqual(model.requests[1]);
  });

  it.each([
    ["another version", '{"version":2}', "version 2"],
    ["no JSON", "{", "not JSON"],
    ["something else", '{"version":1}', "not a dump"],
  ])("LOOP-16: refuses %s and says why", (_name, text, why) => {
    expect(() => restore(text, definition())).toThrow(why);
  });

  it("LOOP-16: refuses a history that no provider takes", async () => {
    const { dependencies, agent } = setUp();
    const waiting = await createAgentLoop(agent, dependencies).run();
    const broken = {
      ...waiting,
      messages: [{ role: "assistant" as const, content: [{ type: "text" as const, text: "x" }] }],
    };
    expect(() => restore(dump(broken), agent)).toThrow("message 0");
  });
});
