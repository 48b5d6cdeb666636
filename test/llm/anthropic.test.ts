import { describe, expect, it } from "vitest";
import { type AnthropicSettings, createAnthropicModel } from "../../src/llm/anthropic.ts";
import type { StepEvent } from "../../src/llm/ports.ts";
import { message, refusal, stream, streamed } from "./anthropic-wire.ts";
import { events, hangUp, json, type RawAnswer, useRawServer } from "./raw-server.ts";
import { neverStopped, request, user } from "./requests.ts";
import { describeUnfinished } from "./unfinished.ts";

const server = useRawServer();
const usage = { inputTokens: 12, cacheReadTokens: 100, cacheWriteTokens: 7, outputTokens: 20 };

function model(over: Partial<AnthropicSettings> = {}) {
  return createAnthropicModel({
    apiKey: "key-of-the-test",
    baseUrl: server.url(),
    model: "claude-haiku-5-5",
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    sendsEffort: true,
    ...over,
  });
}

const step = (over = {}) => model().step(request(over), { signal: neverStopped() });
const stepStreamed = async (told: StepEvent[] = []) =>
  model().step(request(), { signal: neverStopped(), onEvent: (event) => told.push(event) });

describe("a request to Anthropic", () => {
  it("LLM-1: carries system layers, tools, messages and effort, and never a temperature", async () => {
    server.answer(json(message([{ type: "text", text: "fine" }])));
    await step({ effort: "low", toolChoice: "any", system: [{ text: "one" }, { text: "two", cache: true }] });
    const sent = server.requests[0]!;
    expect(sent.path).toBe("/v1/messages");
    expect(sent.headers.authorization).toBe("Bearer key-of-the-test");
    expect(sent.json).toEqual({
      model: "claude-haiku-5-5",
      max_tokens: 1000,
      system: [
        { type: "text", text: "one" },
        { type: "text", text: "two", cache_control: { type: "ephemeral" } },
      ],
      tools: [
        {
          name: "read_file",
          description: "Reads a file.",
          input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          cache_control: { type: "ephemeral" },
        },
      ],
      tool_choice: { type: "any" },
      output_config: { effort: "low" },
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "Look at src/run.ts.", cache_control: { type: "ephemeral" } }],
        },
      ],
    });
  });

  it("leaves the effort out for a model that takes none", async () => {
    server.answer(json(message([{ type: "text", text: "fine" }])));
    await model({ sendsEffort: false }).step(request({ effort: "high" }), { signal: neverStopped() });
    expect(server.requests[0]!.json.output_config).toBeUndefined();
  });

  it("never carries more than four cache breakpoints", async () => {
    server.answer(json(message([{ type: "text", text: "fine" }])));
    const system = ["a", "b", "c", "d"].map((text) => ({ text, cache: true }));
    const said = { role: "assistant" as const, content: [{ type: "text" as const, text: "hm" }] };
    await step({ system, messages: [user("1"), said, user("2"), said, user("3")] });
    expect(server.requests[0]!.text.match(/cache_control/g)).toHaveLength(4);
    expect(server.requests[0]!.json.system.map((block: object) => "cache_control" in block)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it("LOOP-22: shows images of results beside their text", async () => {
    server.answer(json(message([])));
    await step({
      messages: [
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
      ],
    });
    const { messages } = server.requests[0]!.json as { messages: { content: unknown }[] };
    expect(messages.at(-1)?.content).toMatchObject([
      {
        type: "tool_result",
        content: [
          { type: "text", text: "a chart" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aWNvbg==" } },
        ],
      },
    ]);
  });

  it("sends thoughts back as they came, calls with their results, and arguments that were no JSON as text", async () => {
    server.answer(json(message([{ type: "text", text: "fine" }])));
    await step({
      messages: [
        user("go"),
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "so", signature: "sealed" },
            { type: "thinking", thinking: "", data: "dark" },
            { type: "thinking", thinking: "of another provider" },
            { type: "text", text: " " },
            { type: "tool_use", id: "call.1:0", name: "read_file", input: { path: "a" } },
            { type: "tool_use", id: "b", name: "read_file", input: "{pa", unparsed: "{pa" },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", toolUseId: "call.1:0", content: "text", isError: false },
            { type: "tool_result", toolUseId: "b", content: "no JSON", isError: true },
          ],
        },
      ],
    });
    const [, assistant, results] = server.requests[0]!.json.messages;
    expect(assistant.content).toEqual([
      { type: "thinking", thinking: "so", signature: "sealed" },
      { type: "redacted_thinking", data: "dark" },
      { type: "tool_use", id: "call_1_0", name: "read_file", input: { path: "a" } },
      { type: "tool_use", id: "b", name: "read_file", input: { unparsed: "{pa" } },
    ]);
    expect(results.content).toMatchObject([
      { type: "tool_result", tool_use_id: "call_1_0", content: "text" },
      { type: "tool_result", tool_use_id: "b", is_error: true },
    ]);
  });

  it("works against an endpoint on this machine without a key", async () => {
    server.answer(json(message([{ type: "text", text: "fine" }])));
    const local = createAnthropicModel({
      baseUrl: server.url(),
      model: "local",
      contextWindow: 1,
      maxOutputTokens: 1,
      sendsEffort: false,
    });
    expect(await local.step(request(), { signal: neverStopped() })).toMatchObject({ ok: true });
  });
});

describe("a reply of Anthropic", () => {
  it("LLM-1: gives blocks, usage without what was cached, and the request's id", async () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "sealed" },
      { type: "redacted_thinking", data: "dark" },
      { type: "text", text: "I read it." },
      { type: "tool_use", id: "t1", name: "read_file", input: { path: "a.ts" } },
      { type: "server_tool_use", id: "x", name: "web_search", input: {} },
    ];
    server.answer(json(message(content, "tool_use"), 200, { "request-id": "req_9" }));
    expect(await step()).toEqual({
      ok: true,
      content: [
        { type: "thinking", thinking: "hm", signature: "sealed" },
        { type: "thinking", thinking: "", data: "dark" },
        { type: "text", text: "I read it." },
        { type: "tool_use", id: "t1", name: "read_file", input: { path: "a.ts" } },
      ],
      stopReason: "tool_use",
      usage,
      model: "claude-haiku-5-5",
      provider: "anthropic",
      requestId: "req_9",
    });
  });

  it("is the same when it is streamed, and is told while it comes", async () => {
    server.answer(
      stream(
        [
          { type: "thinking", thinking: "hmhm", signature: "" },
          { type: "text", text: "I read." },
          { type: "tool_use", id: "t1", name: "read_file", json: '{"path":"a.ts"}' },
        ],
        "tool_use",
      ),
    );
    const told: StepEvent[] = [];
    expect(await stepStreamed(told)).toEqual({
      ok: true,
      content: [
        { type: "thinking", thinking: "hmhm", signature: "sealed" },
        { type: "text", text: "I read." },
        { type: "tool_use", id: "t1", name: "read_file", input: { path: "a.ts" } },
      ],
      stopReason: "tool_use",
      usage,
      model: "claude-haiku-5-5",
      provider: "anthropic",
      requestId: "req_1",
    });
    expect(told).toEqual([
      { type: "thinking", text: "hm" },
      { type: "thinking", text: "hm" },
      { type: "text", text: "I r" },
      { type: "text", text: "ead." },
      { type: "tool_call_started", id: "t1", name: "read_file" },
    ]);
  });

  it("is streamed without being asked when it may be large", async () => {
    server.answer(stream([{ type: "text", text: "long" }]));
    expect(await step({ maxOutputTokens: 30_000 })).toMatchObject({ ok: true, content: [{ text: "long" }] });
    expect(server.requests[0]!.json.stream).toBe(true);
  });

  it("is read at once also when a stream numbers its blocks out of all measure", async () => {
    const far = streamed([{ type: "text", text: "far" }]).map(({ event, data }) => ({
      event,
      data: "index" in data ? { ...data, index: 4e9 } : data,
    }));
    server.answer(events(far));
    expect(await stepStreamed()).toMatchObject({ ok: true, content: [{ type: "text", text: "far" }] });
  });

  it("LOOP-4: keeps arguments that are no JSON as text", async () => {
    server.answer(stream([{ type: "tool_use", id: "t1", name: "read_file", json: '{"path": a.ts' }], "tool_use"));
    expect(await stepStreamed()).toMatchObject({
      ok: true,
      content: [{ type: "tool_use", input: '{"path": a.ts', unparsed: '{"path": a.ts' }],
    });
  });

  it("LOOP-4: takes arguments for unfinished when the output limit fell into them", async () => {
    server.answer(
      json(message([{ type: "tool_use", id: "t1", name: "read_file", input: { path: "a" } }], "max_tokens")),
    );
    expect(await step()).toMatchObject({ ok: true, content: [{ unparsed: '{"path":"a"}' }], stopReason: "max_tokens" });
  });

  it.each([
    ["end_turn", "end_turn"],
    ["tool_use", "tool_use"],
    ["max_tokens", "max_tokens"],
    ["stop_sequence", "stop_sequence"],
    ["pause_turn", "pause_turn"],
    ["refusal", "refusal"],
    ["model_context_window_exceeded", "context_exceeded"],
    ["something_new", "end_turn"],
  ])("stops for %s: %s", async (said, stopReason) => {
    server.answer(json(message([{ type: "text", text: "so" }], said)));
    expect(await step()).toMatchObject({ ok: true, stopReason });
  });

  it("may be empty", async () => {
    server.answer(json(message([])));
    expect(await step()).toMatchObject({ ok: true, content: [], stopReason: "end_turn" });
  });

  it("may have 5 MB", async () => {
    server.answer(json(message([{ type: "text", text: "x".repeat(5_000_000) }])));
    const result = await step();
    const [block] = result.ok ? result.content : [];
    expect(block?.type === "text" && block.text.length).toBe(5_000_000);
  });
});

describe("a call to Anthropic that fails", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  const cases: [string, RawAnswer, object][] = [
    ["401", json(refusal("authentication_error", "invalid x-api-key"), 401), { class: "auth", status: 401 }],
    ["403", json(refusal("permission_error", "no"), 403), { class: "auth", status: 403 }],
    ["402", json(refusal("billing_error", "pay"), 402), { class: "spend_limit", status: 402 }],
    ["404, an unknown model", json(refusal("not_found_error", "model: x"), 404), { class: "invalid", status: 404 }],
    ["400", json(refusal("invalid_request_error", "tools.0: bad"), 400), { class: "invalid", status: 400 }],
    [
      "400, the prompt is too long",
      json(refusal("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), 400),
      { class: "too_long", status: 400 },
    ],
    ["413", json(refusal("request_too_large", "too large"), 413), { class: "too_long", status: 413 }],
    ["429 without retry-after", json(refusal("rate_limit_error", "slow"), 429), { class: "rate_limited", status: 429 }],
    [
      "429 with retry-after",
      json(refusal("rate_limit_error", "slow"), 429, { "retry-after": "7" }),
      { class: "rate_limited", retryAfterMs: 7000 },
    ],
    [
      "429 with retry-after 3600",
      json(refusal("rate_limit_error", "slow"), 429, { "retry-after": "3600", "request-id": "req_5" }),
      { class: "rate_limited", retryAfterMs: 3_600_000, requestId: "req_5" },
    ],
    [
      "429 with a date",
      json(refusal("rate_limit_error", "slow"), 429, { "retry-after": "Fri, 20 Nov 2026 12:00:30 GMT" }),
      { class: "rate_limited", retryAfterMs: 30_000 },
    ],
    [
      "429 that is a spend limit",
      json(refusal("rate_limit_error", "spent", { error_code: "enforced_spend_limit_reached" }), 429),
      { class: "spend_limit", status: 429 },
    ],
    [
      "429 that is a ramp limit",
      json(refusal("rate_limit_error", "slow", { error_code: "ramp_limit_exceeded" }), 429, { "retry-after": "5" }),
      { class: "rate_limited", retryAfterMs: 5000 },
    ],
    ["500", json(refusal("api_error", "oops"), 500), { class: "overloaded", status: 500 }],
    ["500 from a proxy", json("<html>oops</html>", 500), { class: "overloaded", status: 500 }],
    ["529", json(refusal("overloaded_error", "busy"), 529), { class: "overloaded", status: 529 }],
    ["a malformed 200", json('{"id": "msg_1", "content": [', 200), { class: "transport" }],
    ["a 200 that is no message", json({ hello: "there" }), { class: "transport" }],
    ["a 200 of a captive page", (response) => response.end("<html>sign in</html>"), { class: "transport" }],
    ["a connection that is closed", hangUp, { class: "transport" }],
  ];

  it.each(cases)("LLM-1: %s", async (_name, answer, expected) => {
    server.answer(answer);
    const result = await model({ now: () => now }).step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({ ok: false, failure: expected });
    expect(server.requests).toHaveLength(1);
  });

  it.each(cases)("LLM-1: %s, when it was to be streamed", async (_name, answer, expected) => {
    server.answer(answer);
    const result = await model({ now: () => now }).step(request(), { signal: neverStopped(), onEvent: () => {} });
    expect(result).toMatchObject({ ok: false, failure: expected });
    expect(server.requests).toHaveLength(1);
  });

  it("is a fault of the transport when nobody listens", async () => {
    const result = await model({ baseUrl: "http://127.0.0.1:1" }).step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({ ok: false, failure: { class: "transport" } });
  });

  const begun = streamed([{ type: "text", text: "a text of forty characters, or thereabout" }]).slice(0, -3);

  it("tells what it read from the cache of a stream that is over before its end", async () => {
    server.answer(events(begun, "cut"));
    expect(await stepStreamed()).toMatchObject({
      ok: false,
      failure: { usage: { inputTokens: 12, cacheReadTokens: 100 } },
    });
  });

  it("reads an error inside a stream by its type", async () => {
    server.answer(events([...begun, { event: "error", data: refusal("overloaded_error", "busy") }]));
    expect(await stepStreamed()).toMatchObject({
      ok: false,
      failure: { class: "overloaded", usage: { inputTokens: 12 } },
    });
  });

  it("is malformed when an event of a stream is no JSON", async () => {
    server.answer(events([...begun, { event: "content_block_delta", data: "{oops" }]));
    expect(await stepStreamed()).toMatchObject({ ok: false, failure: { class: "transport" } });
  });

  describeUnfinished(server, begun, model);

  it("SEC-6: does not repeat the key that a provider quotes, and cuts its explanation", async () => {
    server.answer(json(refusal("authentication_error", `key-of-the-test is wrong ${"x".repeat(2000)}`), 401));
    const result = await step();
    expect(result.ok ? "" : result.failure.message).not.toContain("key-of-the-test");
    expect(result.ok ? 0 : result.failure.message.length).toBeLessThan(400);
  });
});
