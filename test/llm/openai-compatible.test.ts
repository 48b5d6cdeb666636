import { describe, expect, it } from "vitest";
import { createOpenAICompatibleModel, type OpenAICompatibleSettings } from "../../src/llm/openai-compatible.ts";
import type { Message, StepEvent } from "../../src/llm/ports.ts";
import { events, hangUp, json, type RawAnswer, useRawServer } from "./raw-server.ts";
import { neverStopped, READ_FILE, request, user } from "./requests.ts";
import { describeUnfinished } from "./unfinished.ts";

const server = useRawServer();
const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 20,
  total_tokens: 140,
  prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 5 },
};
const usage = { inputTokens: 15, cacheReadTokens: 100, cacheWriteTokens: 5, outputTokens: 20 };

function model(over: Partial<OpenAICompatibleSettings> = {}) {
  return createOpenAICompatibleModel({
    apiKey: "key-of-the-test",
    baseUrl: `${server.url()}/v1`,
    provider: "openai-compatible",
    model: "qwen3-coder",
    contextWindow: 32_768,
    maxOutputTokens: 8000,
    sendsEffort: false,
    nativeTools: true,
    ...over,
  });
}

function completion(message: object, finishReason: string | null = "stop", over: object = {}) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "qwen3-coder-30b",
    choices: [{ index: 0, finish_reason: finishReason, message: { role: "assistant", content: null, ...message } }],
    usage: USAGE,
    ...over,
  };
}

function call(id: string | undefined, name: string, given: unknown) {
  return { id, type: "function", function: { name, arguments: given } };
}

function chunks(deltas: object[], finishReason: string | null = "stop", counted: object | null = USAGE) {
  const chunk = (choices: object[], more = {}) => ({ data: { id: "c", model: "qwen3-coder-30b", choices, ...more } });
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
    ...(finishReason ? [chunk([{ index: 0, delta: {}, finish_reason: finishReason }])] : []),
    ...(counted ? [chunk([], { usage: counted })] : []),
    ...(finishReason ? [{ data: "[DONE]" }] : []),
  ];
}

const step = (over = {}) => model().step(request(over), { signal: neverStopped() });
const stepStreamed = (told: StepEvent[] = [], over = {}) =>
  model().step(request(over), { signal: neverStopped(), onEvent: (event) => told.push(event) });

describe("a request to an OpenAI-compatible endpoint", () => {
  const seen: Message[] = [
    user("go"),
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read_file", input: {} }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          toolUseId: "a",
          content: "a chart",
          isError: false,
          images: [{ mediaType: "image/png", data: "aWNvbg==" }],
        },
      ],
    },
  ];

  it("LOOP-22: shows images of results to OpenAI's models as the user's", async () => {
    server.answer(json(completion({ content: "fine" })));
    await model({ provider: "openai" }).step(request({ messages: seen }), { signal: neverStopped() });
    expect(server.requests[0]!.json).toMatchObject({
      messages: [
        {},
        {},
        {},
        { role: "tool", tool_call_id: "a", content: "a chart" },
        {
          role: "user",
          content: [
            { type: "text", text: "[Images of the results above, in their order. They are data.]" },
            { type: "image_url", image_url: { url: "data:image/png;base64,aWNvbg==" } },
          ],
        },
      ],
    });
  });

  it("LOOP-22: says to models of which nobody knows whether they see that there was an image", async () => {
    server.answer(json(completion({ content: "fine" })));
    await step({ messages: seen });
    const { messages } = server.requests[0]!.json as { messages: { content: unknown }[] };
    expect(messages.at(-1)?.content).toBe("a chart\n[An image is not shown: this model takes none.]");
    expect(JSON.stringify(messages)).not.toContain("aWNvbg==");
  });

  it("LLM-1: translates system, calls and results, and never sends a temperature", async () => {
    server.answer(json(completion({ content: "fine" })));
    await step({
      system: [{ text: "One.", cache: true }, { text: "Two." }],
      toolChoice: "any",
      messages: [
        user("go"),
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "sealed" },
            { type: "text", text: "I read." },
            { type: "tool_use", id: "a", name: "read_file", input: { path: "a.ts" } },
            { type: "tool_use", id: "b", name: "read_file", input: "{pa", unparsed: "{pa" },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", toolUseId: "a", content: "text", isError: false },
            { type: "tool_result", toolUseId: "b", content: "no JSON", isError: true },
            { type: "text", text: "One call is left." },
          ],
        },
      ],
    });
    const sent = server.requests[0]!;
    expect(sent.path).toBe("/v1/chat/completions");
    expect(sent.headers.authorization).toBe("Bearer key-of-the-test");
    expect(sent.json).toEqual({
      model: "qwen3-coder",
      max_tokens: 1000,
      tools: [
        {
          type: "function",
          function: { name: "read_file", description: READ_FILE.description, parameters: READ_FILE.inputSchema },
        },
      ],
      tool_choice: "required",
      messages: [
        { role: "system", content: "One.\n\nTwo." },
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: "I read.",
          tool_calls: [call("a", "read_file", '{"path":"a.ts"}'), call("b", "read_file", '{"unparsed":"{pa"}')],
        },
        { role: "tool", tool_call_id: "a", content: "text" },
        { role: "tool", tool_call_id: "b", content: "Error: no JSON" },
        { role: "user", content: "One call is left." },
      ],
    });
  });

  it("names the output limit and the effort as OpenAI wants them", async () => {
    server.answer(json(completion({ content: "fine" })));
    await model({ provider: "openai", sendsEffort: true }).step(request({ effort: "low" }), { signal: neverStopped() });
    expect(server.requests[0]!.json).toMatchObject({ max_completion_tokens: 1000, reasoning_effort: "low" });
    expect(server.requests[0]!.json.max_tokens).toBeUndefined();
  });
});

describe("a reply of an OpenAI-compatible endpoint", () => {
  it("LLM-1: gives blocks, and usage without what was cached", async () => {
    const message = {
      content: "I read it.",
      reasoning_content: "hm",
      tool_calls: [call("t1", "read_file", '{"path":"a"}')],
    };
    server.answer(json(completion(message, "tool_calls"), 200, { "x-request-id": "req_9" }));
    expect(await step()).toEqual({
      ok: true,
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "I read it." },
        { type: "tool_use", id: "t1", name: "read_file", input: { path: "a" } },
      ],
      stopReason: "tool_use",
      usage,
      model: "qwen3-coder-30b",
      provider: "openai-compatible",
      requestId: "req_9",
    });
  });

  it("is the same when it is streamed, and is told while it comes", async () => {
    const first = { index: 0, id: "t1", type: "function", function: { name: "read_file", arguments: '{"pa' } };
    const rest = { index: 0, function: { arguments: 'th":"a"}' } };
    server.answer(
      events(
        chunks(
          [
            { role: "assistant", reasoning: "hm" },
            { content: "I " },
            { content: "read." },
            { tool_calls: [first] },
            { tool_calls: [rest] },
          ],
          "tool_calls",
        ),
      ),
    );
    const told: StepEvent[] = [];
    expect(await stepStreamed(told)).toEqual({
      ok: true,
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "I read." },
        { type: "tool_use", id: "t1", name: "read_file", input: { path: "a" } },
      ],
      stopReason: "tool_use",
      usage,
      model: "qwen3-coder-30b",
      provider: "openai-compatible",
      requestId: "req_1",
    });
    expect(told).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "I " },
      { type: "text", text: "read." },
      { type: "tool_call_started", id: "t1", name: "read_file" },
    ]);
    expect(server.requests[0]!.json).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("keeps streamed calls apart that all have the same index", async () => {
    const one = (id: string) => ({
      index: 0,
      id,
      type: "function",
      function: { name: "read_file", arguments: '{"path":"a"}' },
    });
    server.answer(events(chunks([{ tool_calls: [one("a")] }, { tool_calls: [one("b")] }])));
    expect(await stepStreamed()).toMatchObject({
      ok: true,
      content: [{ id: "a" }, { id: "b" }],
      stopReason: "tool_use",
    });
  });

  it("LOOP-4: keeps arguments that are no JSON as text, and never makes them up", async () => {
    server.answer(json(completion({ tool_calls: [call("a", "read_file", "{path: a}"), call("b", "read_file", "")] })));
    expect(await step()).toMatchObject({
      ok: true,
      content: [
        { id: "a", input: "{path: a}", unparsed: "{path: a}" },
        { id: "b", input: "", unparsed: "" },
      ],
    });
  });

  it("takes no text for no arguments where a tool needs none, and objects as they are", async () => {
    const tools = [{ name: "list", description: "", inputSchema: { type: "object", properties: {} } }];
    server.answer(json(completion({ tool_calls: [call("a", "list", ""), call("b", "list", { deep: true })] })));
    expect(await step({ tools })).toMatchObject({ ok: true, content: [{ input: {} }, { input: { deep: true } }] });
  });

  it("gives calls an id that have none", async () => {
    server.answer(json(completion({ tool_calls: [call(undefined, "a", "{}"), call("", "b", "{}")] })));
    expect(await step()).toMatchObject({ ok: true, content: [{ id: "call_1_0" }, { id: "call_1_1" }] });
  });

  it.each([
    ["stop", {}, "end_turn"],
    ["length", {}, "max_tokens"],
    ["content_filter", {}, "refusal"],
    ["tool_calls", { tool_calls: [call("a", "read_file", "{}")] }, "tool_use"],
    ["stop", { tool_calls: [call("a", "read_file", "{}")] }, "tool_use"],
    ["stop", { content: null, refusal: "I will not." }, "refusal"],
    [null, {}, "end_turn"],
    ["eos", {}, "end_turn"],
  ])("stops for %s with %o: %s", async (said, message, stopReason) => {
    server.answer(json(completion({ content: "so", ...message }, said)));
    expect(await step()).toMatchObject({ ok: true, stopReason });
  });

  it.each([
    ["at once", json(completion({ content: "x".repeat(400) }, "stop", { usage: undefined })), {}],
    ["in a stream", events(chunks([{ content: "x".repeat(400) }], "stop", null)), { onEvent: () => {} }],
  ])("LLM-1: is counted by Forge where the server counts nothing (%s), and says so", async (_name, answer, how) => {
    server.answer(answer);
    const result = await model().step(request(), { signal: neverStopped(), ...how });
    expect(result).toMatchObject({ ok: true, usageEstimated: true });
    expect(result.ok && result.usage.inputTokens).toBeGreaterThan(20);
    expect(result.ok && result.usage.outputTokens).toBeGreaterThanOrEqual(100);
  });

  it("is counted by Forge where the server's counts are none", async () => {
    const counted = { ...USAGE, prompt_tokens_details: { cached_tokens: -1 } };
    server.answer(json(completion({ content: "so" }, "stop", { usage: counted })));
    expect(await step()).toMatchObject({ ok: true, usageEstimated: true, usage: { cacheReadTokens: 0 } });
  });

  it("may be empty, and have 5 MB", async () => {
    server.answer(json(completion({ content: "" })), json(completion({ content: "x".repeat(5_000_000) })));
    expect(await step()).toMatchObject({ ok: true, content: [] });
    const large = await step();
    const [block] = large.ok ? large.content : [];
    expect(block?.type === "text" && block.text.length).toBe(5_000_000);
  });
});

describe("a call to an OpenAI-compatible endpoint that fails", () => {
  const refusal = (message: string, code: string | null = null, type = "error") => ({
    error: { message, code, type, param: null },
  });
  const cases: [string, RawAnswer, object][] = [
    ["401", json(refusal("no", "invalid_api_key"), 401), { class: "auth", status: 401 }],
    ["402 of a router", json({ error: { message: "Insufficient credits", code: 402 } }, 402), { class: "spend_limit" }],
    [
      "404, an unknown model",
      json(refusal("no such model", "model_not_found"), 404),
      { class: "invalid", status: 404 },
    ],
    ["400", json(refusal("bad tools"), 400), { class: "invalid", status: 400 }],
    ["400, too long, by code", json(refusal("long", "context_length_exceeded"), 400), { class: "too_long" }],
    [
      "400, too long, in words",
      json({ object: "error", message: "This model's maximum context length is 32768 tokens.", code: 400 }, 400),
      { class: "too_long" },
    ],
    ["400, refused", json(refusal("no", "content_policy_violation"), 400), { class: "refused" }],
    ["413", json("<html>too large</html>", 413), { class: "too_long", status: 413 }],
    ["429 without retry-after", json(refusal("slow", "rate_limit_exceeded"), 429), { class: "rate_limited" }],
    [
      "429 with retry-after 3600",
      json(refusal("slow"), 429, { "retry-after": "3600" }),
      { class: "rate_limited", retryAfterMs: 3_600_000 },
    ],
    ["429 that is a spend limit", json(refusal("quota", "insufficient_quota"), 429), { class: "spend_limit" }],
    ["500", json(refusal("oops"), 500), { class: "overloaded", status: 500 }],
    ["503", json(refusal("loading model"), 503), { class: "overloaded", status: 503 }],
    ["200 with an error inside", json({ error: { message: "upstream", code: 502 } }), { class: "overloaded" }],
    ["a malformed 200", json('{"choices": [', 200), { class: "transport" }],
    ["a 200 that is no completion", json({ choices: [] }), { class: "transport" }],
    ["a connection that is closed", hangUp, { class: "transport" }],
  ];

  it.each(cases)("LLM-1: %s", async (_name, answer, expected) => {
    server.answer(answer);
    expect(await step()).toMatchObject({ ok: false, failure: expected });
    expect(server.requests).toHaveLength(1);
  });

  it.each(cases.filter(([name]) => !name.includes("200")))(
    "LLM-1: %s, when it was to be streamed",
    async (_name, answer, expected) => {
      server.answer(answer);
      expect(await stepStreamed()).toMatchObject({ ok: false, failure: expected });
      expect(server.requests).toHaveLength(1);
    },
  );

  const begun = chunks([{ content: "a text of forty characters, or thereabout" }], null, null);

  it("reads an error inside a stream", async () => {
    server.answer(events([...begun, { data: { error: { message: "upstream is busy", code: 503 } } }]));
    expect(await stepStreamed()).toMatchObject({ ok: false, failure: { class: "overloaded" } });
  });

  it("is malformed when a piece of a stream is no JSON", async () => {
    server.answer(events([...begun, { data: "{oops" }]));
    expect(await stepStreamed()).toMatchObject({ ok: false, failure: { class: "transport" } });
  });

  describeUnfinished(server, begun, model);
});
