import { z } from "zod";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { applyCheckpoint } from "../../src/agents/loop/checkpoint.ts";
import { USUAL_SHARES } from "../../src/agents/loop/gather-context.ts";
import type { LoopState } from "../../src/agents/loop/loop-state.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import { createAnthropicModel } from "../../src/llm/anthropic.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import { readCheckpoints, recordStep } from "../../src/store/events/steps.ts";
import { openStore } from "../../src/store/open-store.ts";

/** An agent in a process of its own, with the real store and the real provider: whoever started it kills it when it likes. */
const [url, baseUrl] = process.argv.slice(2) as [string, string];
const store = await openStore({ url });
const stored = await readCheckpoints(store, "run", "agent");
const state = stored.reduce<LoopState | undefined>((now, text) => applyCheckpoint(now, JSON.parse(text)), undefined);
const makeId = createIdMaker();
const model = createAnthropicModel({
  baseUrl,
  model: "scripted",
  contextWindow: 200_000,
  maxOutputTokens: 1_000,
  sendsEffort: false,
});
const tool = (name: string, readOnly: boolean) => ({
  name,
  description: name,
  inputSchema: z.object({ turn: z.number() }),
  readOnly,
  timeoutMs: 60_000,
  run: async () => {
    // The tool is the other place where the machine may die.
    await fetch(`${baseUrl}/tool`);
    return { text: "done" };
  },
});
const agent = {
  type: "ask",
  name: "Killed",
  promptVersion: "1",
  layers: [],
  tools: [tool("look", true), tool("write", false)],
  output: z.object({ answer: z.string() }),
  maxOutputTokens: 1_000,
} as const;

const loop = createAgentLoop(
  agent,
  {
    models: () => [model],
    budget: {
      reserve: async () => ({ ok: true, settle: async () => 0.01, release: async () => {}, abandon: async () => 0 }),
      left: () => ({ usd: 100, share: 1 }),
    },
    checks: [],
    policy: () => ({ decision: "allow" }),
    guardrails: [],
    hooks: [],
    recorder: {
      record: async (events, checkpoint) => {
        const at = new Date().toISOString();
        const { sequence } = checkpoint;
        await recordStep(store, {
          traceId: "run",
          agent: "agent",
          sequence,
          checkpoint,
          events,
          at,
          makeId,
          source: "test",
        });
      },
    },
    clock: { now: Date.now, sleep: async () => {} },
    makeId,
    random: Math.random,
    redact: (text) => text,
    estimateTokens: estimateTextTokens,
    someoneToAsk: false,
    context: { task: "Ten turns.", shares: USUAL_SHARES, sources: {} },
  },
  state,
);
const { standing, totalCalls } = await loop.run();
await store.close();
process.stdout.write(JSON.stringify({ standing, totalCalls }));
