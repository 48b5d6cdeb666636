import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../src/llm/anthropic.ts";
import { createOpenAICompatibleModel } from "../../src/llm/openai-compatible.ts";
import type { Model } from "../../src/llm/ports.ts";
import { withPromptedTools } from "../../src/llm/prompted-tools.ts";
import fc from "../properties.ts";
import { streamed } from "./anthropic-wire.ts";
import { events, json, type RawAnswer, useRawServer } from "./raw-server.ts";
import { neverStopped, request } from "./requests.ts";

const server = useRawServer();
const limits = { model: "m", contextWindow: 200_000, maxOutputTokens: 8000, sendsEffort: false };
const models: [string, () => Model][] = [
  ["Anthropic", () => createAnthropicModel({ ...limits, baseUrl: server.url() })],
  [
    "OpenAI",
    () =>
      createOpenAICompatibleModel({
        ...limits,
        baseUrl: `${server.url()}/v1`,
        provider: "openai-compatible",
        nativeTools: true,
      }),
  ],
  [
    "OpenAI with prompted tools",
    () =>
      withPromptedTools(
        createOpenAICompatibleModel({
          ...limits,
          baseUrl: `${server.url()}/v1`,
          provider: "openai-compatible",
          nativeTools: false,
        }),
      ),
  ],
];

/** Values that stand where others were expected, somewhere in an otherwise good body. */
const oddity = fc.oneof(
  fc.constantFrom(null, undefined, "", -1, 1e9, [], {}, "<tool_call>{", [null], { type: "text" }),
  fc.jsonValue(),
);

function spoil(value: unknown, path: readonly number[], odd: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return odd;
  const keys = Object.keys(value);
  if (keys.length === 0) return odd;
  const key = keys[first % keys.length]!;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  copy[key] = spoil(copy[key], rest, odd);
  return copy;
}

const path = fc.array(fc.nat(9), { minLength: 1, maxLength: 6 });
const anthropicBody = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "m",
  content: [
    { type: "thinking", thinking: "hm", signature: "s" },
    { type: "text", text: "so" },
    { type: "tool_use", id: "t", name: "read_file", input: { path: "a" } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0 },
};
const call = { id: "t", type: "function", function: { name: "read_file", arguments: "{}" } };
const openaiBody = {
  model: "m",
  choices: [
    { index: 0, finish_reason: "tool_calls", message: { role: "assistant", content: "so", tool_calls: [call] } },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
};
const anthropicEvents = streamed([
  { type: "text", text: "I read." },
  { type: "tool_use", id: "t1", name: "read_file", json: '{"path":"a.ts"}' },
]);
const openaiEvents = [
  { data: { model: "m", choices: [{ index: 0, delta: { content: "so" }, finish_reason: null }] } },
  {
    data: {
      model: "m",
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: "stop" }],
    },
  },
  { data: { model: "m", choices: [], usage: openaiBody.usage } },
];

async function expectResult(model: Model, answer: RawAnswer, how: object) {
  server.answer(answer);
  const result = await model.step(request(), { signal: neverStopped(), ...how });
  if (!result.ok) return expect(result.failure.message).not.toBe("");
  for (const count of Object.values(result.usage)) expect(count).toBeGreaterThanOrEqual(0);
  for (const block of result.content) expect(["text", "thinking", "tool_use"]).toContain(block.type);
}

describe.each(models)("a model behind the interface of %s", (name, connect) => {
  const anthropic = name === "Anthropic";

  it("LLM-1: never throws, whatever stands in a reply", async () => {
    const model = connect();
    await fc.assert(
      fc.asyncProperty(path, oddity, async (where, odd) => {
        const body = spoil(anthropic ? anthropicBody : openaiBody, where, odd);
        await expectResult(model, json(JSON.stringify(body) ?? ""), {});
      }),
      { numRuns: 60 },
    );
  });

  it("LLM-1: never throws, whatever stands in a stream", async () => {
    const model = connect();
    await fc.assert(
      fc.asyncProperty(path, oddity, async (where, odd) => {
        const all = anthropic ? anthropicEvents : openaiEvents;
        const at = where[0]! % all.length;
        const spoilt = all.map((event, index) =>
          index === at ? { ...event, data: spoil(event.data, where.slice(1), odd) ?? null } : event,
        );
        await expectResult(model, events(spoilt), { onEvent: () => {} });
      }),
      { numRuns: 60 },
    );
  });
});
