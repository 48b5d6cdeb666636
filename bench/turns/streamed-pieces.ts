import { type Model, NO_USAGE } from "../../src/llm/ports.ts";
import { withPromptedTools } from "../../src/llm/prompted-tools.ts";
import { neverStopped, request } from "../../test/llm/requests.ts";

/** A tool call in a block that a model streams in so many pieces of four characters. */
export async function streamedPieces(count: number): Promise<void> {
  const text = `<tool_call>{"name": "write_file", "arguments": {"text": "${"x".repeat(4 * count)}"}}</tool_call>Done.`;
  const model: Model = {
    provider: "openai-compatible",
    id: "small",
    contextWindow: 8192,
    maxOutputTokens: 1000,
    nativeTools: false,
    step: async (_sent, { onEvent }) => {
      for (const piece of text.match(/.{1,4}/gs) ?? []) onEvent?.({ type: "text", text: piece });
      const content = [{ type: "text" as const, text }];
      return {
        ...{ ok: true as const, content, stopReason: "end_turn" as const, usage: NO_USAGE },
        ...{ model: "small", provider: "openai-compatible" as const },
      };
    },
  };
  await withPromptedTools(model).step(request(), { signal: neverStopped(), onEvent: () => undefined });
}
