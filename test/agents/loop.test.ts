import { describe, expect, it } from "vitest";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { findHistoryFault } from "../../src/agents/loop/legal-history.ts";
import { call, definition, done, kit, readTool, scripted, tool } from "./kit.ts";

describe("the agent loop", () => {
  it("LOOP-1: happy path: reads, writes, hands in its result, and everything is on record", async () => {
    const written: string[] = [];
    const write = tool(
      "write",
      async (input) => {
        written.push((input as { text: string }).text);
        return { text: "written" };
      },
      { readOnly: false },
    );
    const model = scripted([call(["read", { path: "a" }]), call(["write", { text: "b" }]), done("fine")]);
    const { dependencies, types, recorded, checkpoints } = kit(model);
    const state = await createAgentLoop(definition({ tools: [readTool, write] }), dependencies).run();

    expect(state.standing).toMatchObject({ is: "ended", end: { reason: "completed", output: { answer: "fine" } } });
    expect(written).toEqual(["b"]);
    expect(types()).toEqual([
      "agent.started",
      "agent.reasoned",
      "tool.called",
      "tool.completed",
      "agent.iteration",
      "agent.reasoned",
      "tool.called",
      "tool.completed",
      "agent.iteration",
      "agent.reasoned",
      "agent.iteration",
      "agent.completed",
    ]);
    expect(findHistoryFault(state.messages)).toBeUndefined();
    expect(recorded()).toEqual(JSON.parse(JSON.stringify(state)));
    expect(checkpoints.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it("LOOP-8: goes on from any checkpoint, and pays no recorded model call again", async () => {
    const script = [call(["read", { path: "a" }]), call(["read", { path: "b" }]), done()];
    const model = scripted(script);
    const first = kit(model);
    await createAgentLoop(definition(), first.dependencies).run();
    for (const upTo of [1, 2]) {
      const again = scripted(script.slice(upTo));
      const state = await createAgentLoop(definition(), kit(again).dependencies, first.recorded(upTo)).run();
      expect(state.standing).toMatchObject({ end: { reason: "completed" } });
      expect(again.requests).toHaveLength(3 - upTo);
      expect(again.requests[0]!.messages).toEqual(model.requests[upTo]!.messages);
    }
  });
});
