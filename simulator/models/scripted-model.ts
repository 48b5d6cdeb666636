import { type ChatCompletionRequest, type FixtureResponse, LLMock } from "@copilotkit/aimock";

/** What a scripted model says next: words, calls of tools, or a failure. */
export type ScriptedReply =
  | {
      readonly text?: string;
      readonly thinking?: string;
      readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];
      readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
    }
  | { readonly status: number; readonly message: string; readonly type?: string; readonly retryAfterSeconds?: number };

/** What it was asked, in OpenAI's form whatever the interface was. */
export interface Asked {
  readonly model: string;
  readonly messages: ChatCompletionRequest["messages"];
  readonly toolNames: readonly string[];
  /** What it may call, with the schema of what each takes. */
  readonly tools?: NonNullable<ChatCompletionRequest["tools"]>;
  /** Counted from 0. */
  readonly turn: number;
}

export interface ScriptedModel {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly anthropicUrl: string;
  /** What Forge needs in its environment to ask it in Anthropic's way. */
  readonly environment: { readonly ANTHROPIC_BASE_URL: string; readonly ANTHROPIC_API_KEY: string };
  /** For `OPENAI_BASE_URL`. */
  readonly openaiUrl: string;
  readonly asked: readonly Asked[];
  readonly stop: () => Promise<void>;
}

/**
 * A model server on this machine that says what a script says, over both interfaces, streamed or not. A list is said in order and then
 * refused with 400; a function sees what was asked.
 */
export async function startScriptedModel(
  script: readonly ScriptedReply[] | ((asked: Asked) => ScriptedReply | Promise<ScriptedReply>),
): Promise<ScriptedModel> {
  const asked: Asked[] = [];
  const server = new LLMock({ strict: true, host: "127.0.0.1", port: 0, logLevel: "silent", journalMaxEntries: 1 });
  server.on({}, async (request: ChatCompletionRequest) => {
    const question: Asked = {
      model: request.model,
      messages: request.messages,
      ...(request.tools ? { tools: request.tools } : {}),
      toolNames: (request.tools ?? []).map((tool) => tool.function.name),
      turn: asked.length,
    };
    asked.push(question);
    const reply = typeof script === "function" ? await script(question) : script[question.turn];
    return toResponse(reply ?? { status: 400, message: "The script is at its end.", type: "invalid_request_error" });
  });
  const url = await server.start();
  const environment = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "a-key-for-tests-only" };
  return { anthropicUrl: url, environment, openaiUrl: `${url}/v1`, asked, stop: () => server.stop() };
}

function toResponse(reply: ScriptedReply): FixtureResponse {
  if ("status" in reply) {
    const { status, message, type, retryAfterSeconds } = reply;
    return {
      status,
      error: { message, type: type ?? "api_error" },
      ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
    };
  }
  const { text, thinking, calls = [], usage = { inputTokens: 1000, outputTokens: 100 } } = reply;
  const counted = {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
  };
  const toolCalls = calls.map(({ name, input, id }) => ({
    name,
    arguments: typeof input === "string" ? input : JSON.stringify(input),
    ...(id ? { id } : {}),
  }));
  const more = { usage: counted, ...(thinking ? { reasoning: thinking } : {}) };
  if (toolCalls.length === 0) return { content: text ?? "", ...more };
  return text ? { content: text, toolCalls, ...more } : { toolCalls, ...more };
}
