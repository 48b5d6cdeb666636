import { describe, expect, it } from "vitest";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { findHistoryFault } from "../../src/agents/loop/history.ts";
import type { LoopState } from "../../src/agents/loop/loop-state.ts";
import { ToolFailure } from "../../src/tools/tool.ts";
import fc from "../properties.ts";
import { call, definition, done, fail, kit, type Reply, readTool, say, scripted, tool } from "./kit.ts";

const write = tool("write", async () => ({ text: "written" }), { readOnly: false });
const failing = tool("failing", async (input) => {
  throw new ToolFailure("no", `no ${JSON.stringify(input)}`);
});
const agent = definition({ tools: [readTool, write, failing], iterationLimit: 12 });

const path = fc.record({ path: fc.constantFrom("a", "b", "c", "d") });
const oneCall = fc.oneof(
  fc.tuple(fc.constantFrom("read", "write", "failing", "unknown"), path),
  fc.tuple(fc.constant("read"), fc.constant({ path: 1 })),
  fc.constant(["ask_human", { question: "Which?" }] as const),
);
const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 5, arbitrary: fc.array(oneCall, { minLength: 1, maxLength: 4 }).map((calls) => call(...calls)) },
  fc.constantFrom("", "words", "Could you clarify that?").map((words) => say(words)),
  fc.constantFrom("max_tokens", "pause_turn", "context_exceeded").map((stop) => say("cut", stop as "max_tokens")),
  fc.constant<Reply>({ content: [{ type: "thinking", thinking: "hm" }] }),
  fc
    .constantFrom("overloaded", "too_long", "transport")
    .map((kind) => fail({ class: kind as "too_long", message: "no" })),
);

/** Crashes after some checkpoints: the record is made, and whatever comes after it is lost. */
class Crash extends Error {}

/** Runs a script through crashes, answers and approvals, always going on from what was recorded, until it ends. */
async function survive(script: readonly Reply[], crashes: readonly number[]) {
  const model = scripted((_request, index) => script[index] ?? done());
  const box = kit(model, {
    policy: ({ tool: { name } }) => ({ decision: name === "write" ? "ask" : "allow", reason: "" }),
  });
  let records = 0;
  const dependencies = {
    ...box.dependencies,
    recorder: {
      record: async (...args: Parameters<typeof box.dependencies.recorder.record>) => {
        await box.dependencies.recorder.record(...args);
        records += 1;
        if (crashes.includes(records)) throw new Crash();
      },
    },
  };
  let state: LoopState | undefined;
  for (let lives = 0; lives < 60; lives += 1) {
    const loop = createAgentLoop(agent, dependencies, state);
    const { standing } = loop.state();
    try {
      if (standing.is === "ended") break;
      if (standing.is !== "waiting") await loop.run();
      else if (standing.wait.for === "answer") await loop.run({ by: "answer", text: "That one." });
      else if (standing.wait.for === "approval") await loop.run({ by: "approval", verdict: { is: "approved" } });
      else await loop.run({ by: "reopening" });
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    state = box.recorded();
  }
  return { ...box, model, state: state! };
}

describe("whatever models and machines do", () => {
  it("LOOP-8, LOOP-9: any replies and any crashes leave a legal history, and no recorded call is paid again", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { maxLength: 14 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
        async (script, crashes) => {
          const { model, checkpoints, state, money, recorded } = await survive(script, crashes);
          expect(state.standing.is).toBe("ended");
          for (const { messages } of model.requests) expect(findHistoryFault(messages)).toBeUndefined();
          for (let upTo = 1; upTo <= checkpoints.length; upTo += 1) {
            const { messages } = recorded(upTo)!;
            const open = messages.at(-1)?.role === "assistant" ? messages.slice(0, -1) : messages;
            expect(findHistoryFault(open)).toBeUndefined();
          }
          // A crash comes after its record, so every answered call is in it: none was made twice.
          expect(Math.round(money.spent * 100)).toBe(state.totalCalls);
          expect(money.reserved).toBeCloseTo(0);
          expect(checkpoints.map(({ sequence }) => sequence)).toEqual(checkpoints.map((_each, index) => index + 1));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("LOOP-20: whatever the replies, the limit is never overshot between two words of a person", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { maxLength: 30 }),
        fc.integer({ min: 1, max: 6 }),
        async (script, iterationLimit) => {
          const model = scripted((_request, index) => script[index] ?? call(["read", { path: `${index}` }]));
          const state = await createAgentLoop({ ...agent, iterationLimit }, kit(model).dependencies).run();
          expect(state.calls).toBeLessThanOrEqual(iterationLimit);
        },
      ),
      { numRuns: 100 },
    );
  });
});
