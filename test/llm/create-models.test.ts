import { describe, expect, it } from "vitest";
import { readModelsConfig } from "../../src/app/config.ts";
import { chooseModel, createModels, type ModelChain, type Models } from "../../src/llm/create-models.ts";
import { message } from "./anthropic-wire.ts";
import { hang, json, useRawServer } from "./raw-server.ts";
import { neverStopped, request } from "./requests.ts";

const server = useRawServer();

async function made(environment: Record<string, string>, chosen = {}) {
  const models = await createModels(readModelsConfig(environment), chosen);
  if (!models.configured) throw new Error(models.reason);
  return models;
}

const names = (chain: ModelChain) => chain.map(({ provider, id }) => `${provider} ${id}`);
const key = "k".repeat(12);

describe("the models of an environment (CONF-2)", () => {
  it("LLM-1: are none where nothing is set, and it is said", async () => {
    expect(await createModels(readModelsConfig({}))).toEqual({
      configured: false,
      reason: "No model is set up: neither a key nor an address of a provider is given.",
    });
    const other = await createModels(readModelsConfig({ ANTHROPIC_API_KEY: key, FORGE_PROVIDER: "openai" }));
    expect(other.configured).toBe(false);
  });

  it("LLM-1: have a strong and a fast one by default", async () => {
    const models = await made({ ANTHROPIC_API_KEY: key });
    expect(names(models.strong)).toEqual(["anthropic claude-sonnet-5-5"]);
    expect(names(models.fast)).toEqual(["anthropic claude-haiku-5-5"]);
    expect(models.fast[0]).toMatchObject({ contextWindow: 1_000_000, maxOutputTokens: 128_000 });
    expect(names((await made({ OPENAI_API_KEY: key })).strong)).toEqual(["openai gpt-5.1"]);
  });

  it("take the names that are given, the repository's first", async () => {
    const environment = {
      ANTHROPIC_API_KEY: key,
      FORGE_MODEL: "claude-opus-5-5",
      FORGE_FAST_MODEL: "claude-haiku-5-5",
    };
    const models = await made(environment);
    expect([...names(models.strong), ...names(models.fast)]).toEqual([
      "anthropic claude-opus-5-5",
      "anthropic claude-haiku-5-5",
    ]);
    const chosen = await made(environment, { model: "claude-sonnet-5-5" });
    expect([...names(chosen.strong), ...names(chosen.fast)]).toEqual([
      "anthropic claude-sonnet-5-5",
      "anthropic claude-haiku-5-5",
    ]);
    expect(names((await made({ ...environment, FORGE_FAST_MODEL: "" })).fast)).toEqual(["anthropic claude-opus-5-5"]);
  });

  it("LOOP-7: fall back to the other provider only where a model of it is named", async () => {
    const both = { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key };
    expect(names((await made(both)).strong)).toEqual(["anthropic claude-sonnet-5-5"]);
    const falling = await made({ ...both, FORGE_FALLBACK_MODEL: "gpt-5.1" });
    expect(names(falling.strong)).toEqual(["anthropic claude-sonnet-5-5", "openai gpt-5.1"]);
    const turned = await made({ ...both, FORGE_PROVIDER: "openai", FORGE_FALLBACK_MODEL: "claude-haiku-5-5" });
    expect(names(turned.fast)).toEqual(["openai gpt-5.1", "anthropic claude-haiku-5-5"]);
  });

  it("LLM-1: work against an Anthropic-compatible endpoint on this machine with nothing but its address", async () => {
    server.answer(json(message([{ type: "text", text: "fine" }])));
    const models = await made({ ANTHROPIC_BASE_URL: server.url() });
    const result = await models.fast[0].step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({ ok: true, content: [{ text: "fine" }] });
  });

  it("LLM-1: work against an OpenAI-compatible endpoint on this machine with nothing but its address", async () => {
    const completion = { choices: [{ finish_reason: "stop", message: { content: "fine" } }] };
    server.answer(json({ object: "list", data: [{ id: "qwen3-coder" }, { id: "other" }] }), json(completion));
    const models = await made({ OPENAI_BASE_URL: `${server.url()}/v1` });
    expect(names(models.strong)).toEqual(["openai-compatible qwen3-coder"]);
    const result = await models.strong[0].step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({ ok: true, content: [{ text: "fine" }], model: "qwen3-coder" });
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/models", "/v1/chat/completions"]);
  });

  it("say which name is missing where an endpoint does not list its models", async () => {
    server.answer(json({ error: "no" }, 404));
    const models = await createModels(readModelsConfig({ OPENAI_BASE_URL: `${server.url()}/v1` }));
    expect(models).toEqual({
      configured: false,
      reason: "OPENAI_BASE_URL is set, but no model: name the one to use in FORGE_MODEL.",
    });
  });

  it("LOOP-5: call tools by their prompt where it is said", async () => {
    const completion = {
      choices: [
        {
          finish_reason: "stop",
          message: { content: '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>' },
        },
      ],
    };
    server.answer(json(completion));
    const models = await made({
      OPENAI_BASE_URL: `${server.url()}/v1`,
      FORGE_MODEL: "small",
      FORGE_TOOL_CALLING: "prompted",
      FORGE_CONTEXT_WINDOW: "8192",
    });
    const [model] = models.fast;
    expect(model).toMatchObject({ contextWindow: 8192, maxOutputTokens: 2048 });
    const result = await model.step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({ ok: true, content: [{ type: "tool_use", input: { path: "a" } }] });
    expect(server.requests[0]!.json.tools).toBeUndefined();
  });

  it("give up on a model that is silent for longer than it is said", async () => {
    server.answer(hang);
    const models = await made({ ANTHROPIC_BASE_URL: server.url(), FORGE_MODEL_TIMEOUT_SECONDS: "1" });
    const result = await models.fast[0].step(request(), { signal: neverStopped() });
    expect(result).toMatchObject({ ok: false, failure: { class: "timeout" } });
  });

  it.each([
    [{ FORGE_PRICES: "{oops" }, "FORGE_PRICES"],
    [{ FORGE_PRICES: '{"a": {"input": -1, "output": 1}}' }, "FORGE_PRICES"],
    [{ OPENAI_BASE_URL: "localhost:11434" }, "OPENAI_BASE_URL"],
    [{ FORGE_TOOL_CALLING: "magic" }, "FORGE_TOOL_CALLING"],
    [{ FORGE_PROVIDER: "acme" }, "FORGE_PROVIDER"],
  ])("refuse what is wrong, by name: %#", (environment, name) => {
    expect(() => readModelsConfig(environment)).toThrow(name);
  });
});

describe("the model for a kind of work", () => {
  it("LLM-1: is strong for planning, implementation and verification, fast for the rest and where little money is left", async () => {
    const models: Extract<Models, { configured: true }> = await made({ ANTHROPIC_API_KEY: key });
    const kind = (work: Parameters<typeof chooseModel>[1], share: number) =>
      chooseModel(models, work, { share }) === models.strong ? "strong" : "fast";
    expect((["planning", "implementation", "verification"] as const).map((work) => kind(work, 0.2))).toEqual([
      "strong",
      "strong",
      "strong",
    ]);
    expect((["review", "testing", "reflection", "ask", "deployment"] as const).map((work) => kind(work, 1))).toEqual(
      Array(5).fill("fast"),
    );
    expect(kind("implementation", 0.19)).toBe("fast");
  });
});
