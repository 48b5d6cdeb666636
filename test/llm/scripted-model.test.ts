import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedModel, type ScriptedReply, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { createAnthropicModel } from "../../src/llm/anthropic.ts";
import { createOpenAICompatibleModel } from "../../src/llm/openai-compatible.ts";
import type { Model } from "../../src/llm/ports.ts";
import { neverStopped, request } from "./requests.ts";

let server: ScriptedModel | undefined;
afterEach(() => server?.stop());

const limits = { model: "claude-haiku-5-5", contextWindow: 200_000, maxOutputTokens: 8000, sendsEffort: false };
const models: [string, (server: ScriptedModel) => Model][] = [
  ["Anthropic", ({ anthropicUrl }) => createAnthropicModel({ ...limits, baseUrl: anthropicUrl })],
  [
    "OpenAI",
    ({ openaiUrl }) =>
      createOpenAICompatibleModel({ ...limits, baseUrl: openaiUrl, provider: "openai-compatible", nativeTools: true }),
  ],
];
const script: ScriptedReply[] = [
  { text: "I read it.", calls: [{ id: "a", name: "read_file", input: { path: "a.ts" } }] },
  { calls: [{ id: "b", name: "read_file", input: "{path" }], usage: { inputTokens: 70, outputTokens: 9 } },
  { text: "Done." },
  { status: 529, message: "busy", type: "overloaded_error" },
];

describe.each(models)("a scripted model behind the interface of %s", (_name, connect) => {
  it.each([
    ["at once", {}],
    ["streamed", { onEvent: () => {} }],
  ])("LLM-1: says what the script says, in order, and then refuses (%s)", async (_how, how) => {
    server = await startScriptedModel(script);
    const model = connect(server);
    const step = () => model.step(request(), { signal: neverStopped(), ...how });
    expect(await step()).toMatchObject({
      ok: true,
      stopReason: "tool_use",
      content: [
        { type: "text", text: "I read it." },
        { type: "tool_use", id: "a", name: "read_file", input: { path: "a.ts" } },
      ],
    });
    expect(await step()).toMatchObject({ ok: true, usage: { inputTokens: 70, outputTokens: 9 } });
    expect(await step()).toMatchObject({ ok: true, stopReason: "end_turn", content: [{ text: "Done." }] });
    expect(await step()).toMatchObject({ ok: false, failure: { class: "overloaded" } });
    expect(await step()).toMatchObject({ ok: false, failure: { class: "invalid" } });
    expect(server.asked.map(({ turn, toolNames }) => [turn, ...toolNames])[1]).toEqual([1, "read_file"]);
  });

  it("answers by what it is asked", async () => {
    server = await startScriptedModel(({ messages }) => ({ text: `${messages.length} messages` }));
    const result = await connect(server).step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({ ok: true, content: [{ text: "2 messages" }] });
  });
});
