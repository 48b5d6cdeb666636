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

/** What `complete` takes: whether the finding stands after what a person said, and the answer to them. */
export const ReplyOutput = z
  .object({
    verdict: z.enum(["withdraw", "stands", "nothing"]),
    answer: z
      .string()
      .trim()
      .max(1_000)
      .describe("Markdown, with `path:line` for what it rests on; at most 1,000 characters; empty for `nothing`."),
  })
  .refine(({ verdict, answer }) => verdict === "nothing" || answer !== "", "an answer is missing");
export type ReplyOutput = z.infer<typeof ReplyOutput>;

/** Reads what a person said about a finding (GH-8a), with the limits of a question. */
export function replyAgent(tools: readonly Tool[]): AgentDefinition<ReplyOutput> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("reply");
  const { layers, output: _other, ...rest } = askAgent(tools);
  return {
    ...rest,
    name: "reply",
    promptVersion: version,
    layers: layers.map((layer) => ({ ...layer, text })),
    output: ReplyOutput,
  };
}
