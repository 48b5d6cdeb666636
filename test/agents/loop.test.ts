import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { findHistoryFault } from "../../src/agents/loop/history.ts";
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

  it("LOOP-6: an argument out of range is taken as the nearest one within, and said; what does not fit at all is refused", async () => {
    const taken: unknown[] = [];
    const inputSchema = z.object({
      line: z.number().int().min(1).max(9),
      paths: z.array(z.string()).max(2).default([]),
    });
    const look = tool(
      "look",
      async (input) => {
        taken.push(input);
        return { text: "seen" };
      },
      { inputSchema },
    );
    const act = { ...look, name: "act", readOnly: false };
    const calls = [
      ["look", { line: 0, paths: ["a", "b", "c"] }],
      ["look", { line: "x" }],
      ["act", { line: 1, paths: ["a", "b", "c"] }],
    ] as const;
    const model = scripted([call(...calls), done()]);
    const state = await createAgentLoop(definition({ tools: [look, act] }), kit(model).dependencies).run();
    expect(taken).toEqual([{ line: 1, paths: ["a", "b"] }]);
    const said = state.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [block.content] : [])),
    );
    expect(said[0]).toBe("line 0 is out of range: 1 was taken.\npaths has 3 entries: the first 2 were taken.\nseen");
    expect(said.slice(1, 3).map((text) => text.includes("do not fit"))).toEqual([true, true]);
  });

  it("LOOP-12: says how many steps are left when few are, and of a short run only before the last", async () => {
    const notes = async (iterationLimit: number) => {
      const model = scripted(() => call(["read", { path: `${Math.random()}` }]));
      const { messages } = await createAgentLoop(definition({ iterationLimit }), kit(model).dependencies).run();
      return messages.map(({ content }) =>
        content.flatMap((block) => (block.type === "text" && / left/.test(block.text) ? [block.text] : [])).join(""),
      );
    };
    const at = async (limit: number) =>
      (await notes(limit)).flatMap((text, index) => (text === "" ? [] : [[index / 2, text]]));
    expect(await at(4)).toEqual([[3, "One step is left: the next one has to hand in your result."]]);
    expect(await at(12)).toEqual([[9, expect.stringMatching(/^3 steps are left\./)]]);
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
