import { z } from "zod";
import type { Tool } from "../../tools/tool.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../agent-definition.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";

const OUTPUT_TOKENS = 6_000;

const short = (most: number) => z.string().trim().min(1).max(most);

/** What the tester says of one failure, by its number in the task. */
export const FailureAnalysis = z.object({
  failure: z.number().int().positive().describe("Number of the failure."),
  class: z.enum(["bug", "flaky", "environment"]),
  cause: short(1_000).describe("What is behind it: which line does what, and what it should do."),
  fix: short(1_500).optional().describe("What to change, in which file and function. Left out where you know none."),
  confidence: z.number().min(0).max(1).optional().describe("That the fix mends it and breaks nothing, 0 to 1."),
});
export type FailureAnalysis = z.infer<typeof FailureAnalysis>;

export const TesterOutput = z.object({ failures: z.array(FailureAnalysis).max(50) });
export type TesterOutput = z.infer<typeof TesterOutput>;

/** Looks for the causes of failures (TEST-1); has five calls of a model. @param tools that read, and run tests */
export function testerAgent(
  tools: readonly Tool[],
): AgentDefinition<TesterOutput> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("tester");
  return {
    type: "tester",
    name: "tester",
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output: TesterOutput,
    iterationLimit: ITERATION_LIMITS.tester,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}
