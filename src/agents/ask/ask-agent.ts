import { z } from "zod";
import type { Tool } from "../../tools/tool.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../agent-definition.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";

const OUTPUT_TOKENS = 4_000;

/** What `complete` takes: the length is the one that the prompt names. */
export const AskOutput = z.object({
  answer: z
    .string()
    .trim()
    .min(1)
    .max(1_500)
    .describe("The answer in Markdown, with `path:line` for what it rests on; at most 1,500 characters."),
});
export type AskOutput = z.infer<typeof AskOutput>;

/** Answers one question about the code; its tools read. */
export function askAgent(tools: readonly Tool[]): AgentDefinition<AskOutput> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("ask");
  return {
    type: "ask",
    name: "ask",
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output: AskOutput,
    iterationLimit: ITERATION_LIMITS.ask,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}
