import type OpenAI from "openai";
import type { StepEvent } from "./ports.ts";

interface StreamedCall {
  readonly index: number;
  id: string;
  name: string;
  readonly pieces: string[];
}

/** Puts a streamed completion together and tells of it while it comes. */
export interface CompletionCollector {
  readonly take: (chunk: OpenAI.ChatCompletionChunk) => void;
  /** The completion as the server would have given it at once; nothing while its end has not come. */
  readonly completion: () => unknown;
  /** Characters received so far. */
  readonly characters: () => number;
}

type Delta = OpenAI.ChatCompletionChunk.Choice.Delta & { reasoning_content?: unknown; reasoning?: unknown };

export function collectOpenAIStream(onEvent: (event: StepEvent) => void): CompletionCollector {
  const text: string[] = [];
  const refusal: string[] = [];
  const thinking: string[] = [];
  const calls: StreamedCall[] = [];
  let model: string | undefined;
  let usage: unknown;
  let finishReason: string | undefined;
  let characters = 0;

  const say = (pieces: string[], piece: unknown, kind?: "text" | "thinking") => {
    if (typeof piece !== "string" || piece === "") return;
    pieces.push(piece);
    characters += piece.length;
    if (kind) onEvent({ type: kind, text: piece });
  };
  const takeCall = (delta: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall) => {
    const index = delta.index ?? 0;
    const same = calls.findLast((call) => call.index === index);
    // Some servers give every call the same index: then the id tells that another one begins.
    const isNew = !same || (delta.id && same.id && delta.id !== same.id);
    const call = isNew ? { index, id: delta.id ?? "", name: "", pieces: [] } : same;
    if (isNew) calls.push(call);
    if (delta.id) call.id = delta.id;
    const began = call.name === "" && !!delta.function?.name;
    call.name += delta.function?.name ?? "";
    if (began) onEvent({ type: "tool_call_started", id: call.id, name: call.name });
    say(call.pieces, delta.function?.arguments);
  };

  return {
    take(chunk) {
      model ??= chunk.model;
      usage = chunk.usage ?? usage;
      const choice = chunk.choices?.[0];
      if (!choice) return;
      const delta = (choice.delta ?? {}) as Delta;
      say(thinking, delta.reasoning_content ?? delta.reasoning, "thinking");
      say(text, delta.content, "text");
      say(refusal, delta.refusal, "text");
      for (const call of delta.tool_calls ?? []) takeCall(call);
      finishReason = choice.finish_reason ?? finishReason;
    },
    completion() {
      if (finishReason === undefined) return undefined;
      const message = {
        content: text.join(""),
        refusal: refusal.join(""),
        reasoning_content: thinking.join(""),
        tool_calls: calls.map(({ id, name, pieces }) => ({ id, function: { name, arguments: pieces.join("") } })),
      };
      return { model, usage, choices: [{ finish_reason: finishReason, message }] };
    },
    characters: () => characters,
  };
}
