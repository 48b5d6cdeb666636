import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { z } from "zod";
import type { AgentDefinition } from "../../src/agents/agent-definition.ts";
import { createAgentLoop } from "../../src/agents/agent-loop.ts";
import { promptInjection, secretsInOutput } from "../../src/agents/guardrails.ts";
import { USUAL_SHARES } from "../../src/agents/loop/gather-context.ts";
import { createPolicy } from "../../src/agents/loop/policy.ts";
import type { Budget, Recorder } from "../../src/agents/ports.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import { createAnthropicModel } from "../../src/llm/anthropic.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { readCheckpoints, recordStep } from "../../src/store/events/steps.ts";
import { openStore } from "../../src/store/open-store.ts";

const ROLE = "You look at parts, one after the other, and say what each is about.";
const TASK = "Look at all parts.";
/** A kilobyte, as a tool reads it from a file. */
const FINDING = "export function part(number: number): string { return names[number]; }\n".repeat(14);
const INPUT = z.object({ part: z.number() });
const TOOL_TEXT = "Looks at a part and gives its text.";

/** One conversation of so many turns. */
export type Converse = (turns: number) => Promise<void>;

/** What the loop is compared with: the SDK, a tool, and nothing else; nothing is kept. */
export function bareLoop(baseURL: string): Converse {
  const client = new Anthropic({ apiKey: "none", baseURL, maxRetries: 0, logLevel: "off" });
  const { $schema: _dialect, ...schema } = z.toJSONSchema(INPUT);
  const tools = [{ name: "look", description: TOOL_TEXT, input_schema: schema as Anthropic.Tool.InputSchema }];
  return async (turns) => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: TASK }];
    for (let turn = 0; turn < turns; turn += 1) {
      const reply = await client.messages.create({
        model: "bench-model",
        max_tokens: 1_000,
        system: ROLE,
        tools,
        messages,
      });
      messages.push({ role: "assistant", content: reply.content });
      const results = reply.content.flatMap((block) =>
        block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: FINDING }] : [],
      );
      messages.push({ role: "user", content: results });
    }
  };
}

export interface ForgeLoops {
  readonly converse: Converse;
  /** The same with a recorder that keeps nothing: what the loop itself takes. */
  readonly unstored: Converse;
  /** Looks into the database for every step of every conversation. @throws when one is missing */
  readonly verify: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Forge's loop with everything that it has in earnest: guardrails, redaction, budget, and each step on disk in Forge's own store. */
export async function forgeLoop(baseUrl: string, directory: string): Promise<ForgeLoops> {
  const store = await openStore({ url: `file:${join(directory, "forge.db")}` });
  const makeId = createIdMaker();
  const model = createAnthropicModel({
    baseUrl,
    model: "bench-model",
    contextWindow: 1_000_000,
    maxOutputTokens: 1_000,
    sendsEffort: false,
  });
  const redact = createRedactor(["a-value-that-nothing-holds"]);
  const keep = (traceId: string): Recorder => ({
    record: (events, checkpoint) =>
      recordStep(store, {
        traceId,
        agent: "bench/1",
        sequence: checkpoint.sequence,
        checkpoint,
        events,
        at: new Date().toISOString(),
        makeId,
        source: "bench",
      }),
  });
  const conversations: { traceId: string; turns: number }[] = [];
  const converse = async (turns: number, stored: boolean) => {
    const traceId = makeId();
    const dependencies = {
      models: () => [model] as const,
      budget: countingBudget(),
      checks: [() => undefined],
      policy: createPolicy({ deny: [], ask: [], approveOverUsd: 1 }),
      guardrails: [promptInjection, secretsInOutput(redact)],
      hooks: [],
      recorder: stored ? keep(traceId) : { record: async () => {} },
      clock: { now: () => Date.now(), sleep: async () => {} },
      makeId,
      random: Math.random,
      redact,
      estimateTokens: estimateTextTokens,
      someoneToAsk: false,
      context: { task: TASK, shares: USUAL_SHARES, sources: {} },
    };
    const state = await createAgentLoop(agent(turns), dependencies).run();
    if (state.totalCalls !== turns) throw new Error(`${state.totalCalls} calls instead of ${turns}`);
    if (stored) conversations.push({ traceId, turns });
  };
  const verify = async () => {
    for (const { traceId, turns } of conversations) {
      const checkpoints = (await readCheckpoints(store, traceId, "bench/1")).length;
      const events = (await readEvents(store, traceId)).length;
      if (checkpoints < turns || events < turns * 4) throw new Error(`${checkpoints} checkpoints, ${events} events`);
    }
  };
  return {
    converse: (turns) => converse(turns, true),
    unstored: (turns) => converse(turns, false),
    verify,
    close: () => store.close(),
  };
}

function agent(turns: number): AgentDefinition {
  const look = {
    name: "look",
    description: TOOL_TEXT,
    inputSchema: INPUT,
    readOnly: true,
    timeoutMs: 10_000,
    run: async () => ({ text: FINDING }),
  };
  return {
    type: "ask",
    name: "Bench",
    promptVersion: "1",
    layers: [{ name: "role", priority: 0, text: ROLE, tags: [], owner: "bench", stable: true }],
    tools: [look],
    output: z.object({ done: z.boolean() }),
    iterationLimit: turns,
    maxOutputTokens: 1_000,
  };
}

function countingBudget(): Budget {
  let spent = 0;
  return {
    reserve: async () => ({
      ok: true,
      settle: async () => {
        spent += 0.001;
        return 0.001;
      },
      release: async () => {},
      abandon: async () => 0,
    }),
    left: () => ({ usd: 100 - spent, share: (100 - spent) / 100 }),
  };
}
