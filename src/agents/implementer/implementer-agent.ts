import type { ZodType } from "zod";
import type { Feedback } from "../../domain/implementation.ts";
import type { Tool } from "../../tools/tool.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../agent-definition.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { type FeedbackOutput, feedbackOutput, ImplementerOutput } from "./output.ts";

/** A whole new file with its tests fits into one reply. */
const OUTPUT_TOKENS = 16_000;

type Limited<Output> = AgentDefinition<Output> & { readonly iterationLimit: number };

/**
 * Does one task of a plan (IMPL-1): a new one for each, so that it knows its task and nothing that others tried.
 * @param iterations model calls that are left for the implementation; it gets no more than a phase has
 */
export function implementerAgent(
  tools: readonly Tool[],
  iterations: number = ITERATION_LIMITS.implementer,
): Limited<ImplementerOutput> {
  return agentOf("implementer", tools, iterations, ImplementerOutput);
}

/** Works on feedback (IMPL-2): it has to answer every piece of it before it can finish. */
export function feedbackAgent(
  tools: readonly Tool[],
  feedback: readonly Pick<Feedback, "id">[],
  iterations: number = ITERATION_LIMITS.implementer,
): Limited<FeedbackOutput> {
  return agentOf("implementer-feedback", tools, iterations, feedbackOutput(feedback.map(({ id }) => id)));
}

function agentOf<Output>(
  prompt: "implementer" | "implementer-feedback",
  tools: readonly Tool[],
  iterations: number,
  output: ZodType<Output>,
): Limited<Output> {
  const { text, version } = loadPrompt(prompt);
  return {
    type: "implementer",
    name: prompt,
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output,
    iterationLimit: Math.max(1, Math.min(iterations, ITERATION_LIMITS.implementer)),
    maxOutputTokens: OUTPUT_TOKENS,
  };
}
