import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../src/llm/anthropic.ts";
import { createOpenAICompatibleModel } from "../../src/llm/openai-compatible.ts";
import type { AssistantBlock, Message, Model } from "../../src/llm/ports.ts";
import { message } from "./anthropic-wire.ts";
import { type CacheTotals, simulatePrefixCache } from "./prefix-cache.ts";
import { json, useRawServer } from "./raw-server.ts";
import { neverStopped, READ_FILE, request, user } from "./requests.ts";

const server = useRawServer();
const TURNS = 10;
/** Sizes as a reviewer has them: system layers and tools of some 8,000 tokens, a diff of 4,000, results of 1,200. */
const SYSTEM = [
  { text: `You review code. ${"Look at what the change does. ".repeat(700)}` },
  { text: `This repository: ${"it has conventions. ".repeat(200)}`, cache: true },
];
const TOOLS = Array.from({ length: 12 }, (_, index) => ({
  ...READ_FILE,
  name: `tool_${index}`,
  description: "x".repeat(500),
}));
const RESULT = "const value = compute(input);\n".repeat(160);

const anthropic = () =>
  createAnthropicModel({
    baseUrl: server.url(),
    model: "claude-haiku-5-5",
    contextWindow: 200_000,
    maxOutputTokens: 8000,
    sendsEffort: true,
  });

/** A run in which every reply calls tools and every result is sent back, as the loop does it. */
async function run(model: Model, task: string, callsATurn = 1): Promise<void> {
  let messages: Message[] = [user(task)];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const result = await model.step(request({ system: SYSTEM, tools: TOOLS, messages }), { signal: neverStopped() });
    expect(result.ok).toBe(true);
    const content: AssistantBlock[] = [
      { type: "thinking", thinking: `Turn ${turn}.`, signature: `sealed-${turn}` },
      { type: "text", text: `I look at ${turn}.` },
      ...Array.from({ length: callsATurn }, (_, index) => ({
        type: "tool_use" as const,
        id: `call-${turn}-${index}`,
        name: "tool_0",
        input: { path: `${turn}/${index}.ts`, fromLine: turn },
      })),
    ];
    const results = content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ type: "tool_result" as const, toolUseId: block.id, content: RESULT, isError: false }]
        : [],
    );
    messages = [...messages, { role: "assistant", content }, { role: "user", content: results }];
  }
}

const withoutMarks = (text: string) => text.replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, "");

/** Bodies end with the messages, so all of a body but its two closing brackets must stand at the start of the next. */
function expectStablePrefixes(bodies: readonly string[]) {
  expect(bodies).toHaveLength(TURNS);
  bodies.slice(1).forEach((body, index) => {
    expect(body.startsWith(bodies[index]!.slice(0, -2))).toBe(true);
  });
}

const sum = (all: readonly CacheTotals[], of: keyof CacheTotals) => all.reduce((total, each) => total + each[of], 0);

describe("ten turns with Anthropic", () => {
  it("LLM-1: send what was sent before again byte by byte, but for the marks", async () => {
    server.answer(json(message([{ type: "text", text: "ok" }])));
    await run(anthropic(), "The diff.");
    expectStablePrefixes(server.requests.map(({ text }) => withoutMarks(text)));
  });

  it.each([1, 12, 30])(
    "LLM-1: read from the cache all that is sent again, with %i calls a turn",
    async (callsATurn) => {
      server.answer(json(message([{ type: "text", text: "ok" }])));
      await run(anthropic(), "The diff.", callsATurn);
      const cache = simulatePrefixCache();
      const turns = server.requests.map(({ json: body }) => cache(body));
      turns.slice(1).forEach((turn, index) => {
        expect(turn.read).toBe(turns[index]!.input);
      });
    },
  );

  it("LLM-1: are to at least 90 % cache reads, once an agent of this kind has run", async () => {
    server.answer(json(message([{ type: "text", text: "ok" }])));
    const cache = simulatePrefixCache();
    await run(anthropic(), `Another diff. ${"- line of code\n".repeat(1000)}`);
    for (const { json: body } of server.requests.splice(0)) cache(body);
    await run(anthropic(), `The diff. ${"+ line of code\n".repeat(1000)}`);
    const turns = server.requests.map(({ json: body }) => cache(body));
    const share = sum(turns, "read") / sum(turns, "input");
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(sum(turns, "read") + sum(turns, "written")).toBe(sum(turns, "input"));
  });
});

describe("ten turns with an OpenAI-compatible endpoint", () => {
  it("LLM-1: send what was sent before again byte by byte", async () => {
    server.answer(json({ model: "m", choices: [{ finish_reason: "stop", message: { content: "ok" } }] }));
    const model = createOpenAICompatibleModel({
      baseUrl: `${server.url()}/v1`,
      provider: "openai-compatible",
      model: "m",
      contextWindow: 200_000,
      maxOutputTokens: 8000,
      sendsEffort: false,
      nativeTools: true,
    });
    await run(model, "The diff.", 3);
    expectStablePrefixes(server.requests.map(({ text }) => text));
  });
});
