import { z } from "zod";
import type { AgentDefinition } from "../../src/agents/agent-definition.ts";
import { applyCheckpoint, type Checkpoint } from "../../src/agents/loop/checkpoint.ts";
import { USUAL_SHARES } from "../../src/agents/loop/gather-context.ts";
import type { LoopState } from "../../src/agents/loop/loop-state.ts";
import type { AgentDependencies, Trip } from "../../src/agents/ports.ts";
import { EVENT_CATALOGUE } from "../../src/domain/event-catalogue.ts";
import type { NewEvent } from "../../src/domain/events.ts";
import { estimateTextTokens } from "../../src/llm/estimate-tokens.ts";
import type { AssistantBlock, Model, StepRequest, StepResult, StopReason } from "../../src/llm/ports.ts";
import type { Tool } from "../../src/tools/tool.ts";

export const USAGE = { inputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 20 };

export type Reply =
  | { readonly content: readonly AssistantBlock[]; readonly stop?: StopReason; readonly usage?: typeof USAGE }
  | Extract<StepResult, { ok: false }>;

let calls = 0;
/** A reply with calls, each with an id of its own. */
export function call(...named: readonly (readonly [name: string, input: unknown])[]): Reply {
  const content = named.map(([name, input]) => {
    calls += 1;
    return { type: "tool_use" as const, id: `toolu_${calls}`, name, input };
  });
  return { content, stop: "tool_use" };
}

export function say(text: string, stop: StopReason = "end_turn"): Reply {
  return { content: [{ type: "text", text }], stop };
}

export function fail(failure: Extract<StepResult, { ok: false }>["failure"]): Reply {
  return { ok: false, failure };
}

export interface ScriptedModel extends Model {
  readonly requests: StepRequest[];
}

/** Answers by the script, a function of the request or a list; asked beyond its end it hands in the result. */
export function scripted(
  script: readonly Reply[] | ((request: StepRequest, index: number) => Reply),
  over: Partial<Model> = {},
): ScriptedModel {
  const requests: StepRequest[] = [];
  return {
    provider: "script",
    id: "scripted",
    contextWindow: 200_000,
    maxOutputTokens: 8_000,
    nativeTools: true,
    ...over,
    requests,
    step: async (request): Promise<StepResult> => {
      const index = requests.length;
      requests.push(structuredClone(request));
      const reply = typeof script === "function" ? script(request, index) : (script[index] ?? done());
      if ("ok" in reply) return reply;
      const { content, stop = "end_turn", usage = USAGE } = reply;
      return { ok: true, content, stopReason: stop, usage, model: "scripted", provider: "script" };
    },
  };
}

export const Result = z.object({ answer: z.string() });
export function done(answer = "42"): Reply {
  return call(["complete", { answer }]);
}

/** A tool over a text; everything else about it can be given. */
export function tool(name: string, run: Tool["run"], over: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    inputSchema: z.object({ path: z.string().optional(), text: z.string().optional() }),
    readOnly: true,
    timeoutMs: 60_000,
    run,
    ...over,
  };
}

export const readTool = tool("read", async () => ({ text: "content of the file" }));

export function definition(over: Partial<AgentDefinition> = {}): AgentDefinition {
  return {
    type: "implementer",
    name: "Implementer",
    promptVersion: "1",
    layers: [{ name: "role", priority: 0, text: "You work.", tags: [], owner: "agents", stable: true }],
    tools: [readTool],
    output: Result,
    maxOutputTokens: 4_000,
    ...over,
  };
}

export interface Kit {
  readonly dependencies: AgentDependencies;
  readonly events: NewEvent[];
  readonly checkpoints: Checkpoint[];
  /** What stands in the records, read back through JSON. */
  readonly recorded: (upTo?: number) => LoopState | undefined;
  readonly types: () => string[];
  readonly money: { spent: number; reserved: number; limit: number };
  readonly slept: number[];
}

/** Powers around a model: a clock of its own, a budget of a cent a call, a recorder that keeps everything as JSON. */
export function kit(model: Model | readonly [Model, ...Model[]], over: Partial<AgentDependencies> = {}): Kit {
  const events: NewEvent[] = [];
  const checkpoints: Checkpoint[] = [];
  const slept: number[] = [];
  const money = { spent: 0, reserved: 0, limit: 100 };
  let now = 1_000_000;
  let ids = 0;
  const dependencies: AgentDependencies = {
    models: () => (Array.isArray(model) ? (model as [Model, ...Model[]]) : [model as Model]),
    budget: {
      reserve: async () => {
        if (money.spent + money.reserved + 0.01 > money.limit) return { ok: false, trip: trip("cost") };
        money.reserved += 0.01;
        return {
          ok: true,
          settle: async () => {
            money.reserved -= 0.01;
            money.spent += 0.01;
            return 0.01;
          },
          release: async () => {
            money.reserved -= 0.01;
          },
          abandon: async () => {
            money.reserved -= 0.01;
            return 0.001;
          },
        };
      },
      left: () => ({ usd: money.limit - money.spent, share: (money.limit - money.spent) / money.limit }),
    },
    checks: [],
    policy: () => ({ decision: "allow" }),
    guardrails: [],
    hooks: [],
    recorder: {
      record: async (fresh, checkpoint) => {
        for (const event of fresh) EVENT_CATALOGUE[event.type].parse(event.payload);
        events.push(...fresh);
        checkpoints.push(JSON.parse(JSON.stringify(checkpoint)));
      },
    },
    clock: {
      now: () => {
        now += 5;
        return now;
      },
      sleep: async (ms) => {
        slept.push(ms);
      },
    },
    makeId: () => {
      ids += 1;
      return `${ids}`.padStart(26, "0");
    },
    random: () => 0,
    redact: (text) => text,
    estimateTokens: estimateTextTokens,
    someoneToAsk: true,
    context: { task: "Find the answer.", shares: USUAL_SHARES, sources: {} },
    ...over,
  };
  return {
    dependencies,
    events,
    checkpoints,
    money,
    slept,
    types: () => events.map(({ type }) => type),
    recorded: (upTo = checkpoints.length) =>
      checkpoints.slice(0, upTo).reduce<LoopState | undefined>(applyCheckpoint, undefined),
  };
}

export function trip(breaker: string): Trip {
  return { breaker, limit: 1, current: 1, message: `The limit of ${breaker} is reached.` };
}
