import { type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { createAnthropicModel } from "../../src/llm/anthropic.ts";
import { createModels } from "../../src/llm/create-models.ts";
import { createOpenAICompatibleModel } from "../../src/llm/openai-compatible.ts";
import { useRawServer } from "./raw-server.ts";
import { neverStopped, request } from "./requests.ts";

const server = useRawServer();
const limits = { model: "m", contextWindow: 200_000, maxOutputTokens: 8_000, sendsEffort: false, streams: true };
const makers = {
  anthropic: (timeoutMs: number) => createAnthropicModel({ ...limits, baseUrl: server.url(), timeoutMs }),
  openai: (timeoutMs: number) =>
    createOpenAICompatibleModel({
      ...{ ...limits, baseUrl: `${server.url()}/v1`, provider: "openai-compatible", nativeTools: true, timeoutMs },
    }),
};
const WHOLE = {
  anthropic: {
    ...{ id: "m", type: "message", role: "assistant", model: "m", stop_reason: "end_turn" },
    content: [{ type: "text", text: "late" }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  openai: {
    model: "m",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "late" } }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  },
};
const PROVIDERS = ["anthropic", "openai"] as const;

it.each(PROVIDERS)("a reply of %s in one piece is taken although it was asked for as a stream", async (provider) => {
  server.answer((response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(WHOLE[provider]));
  });
  const result = await makers[provider](60_000).step(request(), { signal: neverStopped(), idempotencyKey: "k-1" });
  expect(result).toMatchObject({ ok: true, content: [{ type: "text", text: "late" }] });
  expect(server.requests[0]!.json.stream).toBe(true);
  expect(server.requests[0]!.headers["idempotency-key"]).toBe("k-1");
});

it.each(PROVIDERS)("a sign of life of %s without content is no silence: length is no fault", async (provider) => {
  // Six signs of life, each well inside the limit, which all of them together are not.
  server.answer((response) => {
    response.setHeader("content-type", "application/json");
    let signs = 0;
    const beat = setInterval(() => {
      signs += 1;
      if (signs < 6) return response.write(" ");
      clearInterval(beat);
      return response.end(JSON.stringify(WHOLE[provider]));
    }, 1_000);
  });
  const result = await makers[provider](4_000).step(request(), { signal: neverStopped() });
  expect(result).toMatchObject({ ok: true, content: [{ type: "text", text: "late" }] });
});

it.each(PROVIDERS)("nothing but the limit of a call of %s says how long it may be silent", async (provider) => {
  const usual = getGlobalDispatcher();
  const asked: Dispatcher.DispatchOptions[] = [];
  setGlobalDispatcher(
    usual.compose((dispatch) => (options, handler) => {
      asked.push(options);
      return dispatch(options, handler);
    }),
  );
  onTestFinished(() => setGlobalDispatcher(usual));
  server.answer((response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(WHOLE[provider]));
  });
  expect(await makers[provider](60_000).step(request(), { signal: neverStopped() })).toMatchObject({ ok: true });
  // 0 is never; without a word the transport gives up after five minutes.
  expect(asked).toEqual([expect.objectContaining({ headersTimeout: 0, bodyTimeout: 0 })]);
});

it("models of a configuration stream, whoever listens", async () => {
  server.answer((response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(WHOLE.anthropic));
  });
  const models = await createModels({ anthropic: { baseUrl: server.url() }, toolCalling: "native", prices: {} });
  if (models.configured) await models.fast[0].step(request(), { signal: neverStopped() });
  expect(server.requests[0]!.json.stream).toBe(true);
});
