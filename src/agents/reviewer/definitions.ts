import type { Tool } from "../../tools/tool.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import { loadPrompt, type Prompt } from "../prompts/load-prompt.ts";
import { ReviewerOutput, VerifierOutput } from "./claims.ts";

/** Model calls of the verifier. */
const VERIFIER_ITERATIONS = 4;
const OUTPUT_TOKENS = 8_000;

type Limited<Output> = AgentDefinition<Output> & { readonly iterationLimit: number };

/**
 * @param iterations calls of a model that one reading of the change has
 * @param parts readers that share them; each has two at least, one to look and one to say
 */
export function reviewerAgent(tools: readonly Tool[], iterations: number, parts: number): Limited<ReviewerOutput> {
  const limit = Math.max(Math.min(2, iterations), Math.floor(iterations / parts));
  return { ...agentOf("reviewer", loadPrompt("reviewer"), tools, limit), output: ReviewerOutput };
}

/** Every claim gets a try at refutation by somebody who did not make it. */
export function verifierAgent(tools: readonly Tool[]): Limited<VerifierOutput> {
  return { ...agentOf("verifier", loadPrompt("verifier"), tools, VERIFIER_ITERATIONS), output: VerifierOutput };
}

function agentOf(type: "reviewer" | "verifier", prompt: Prompt, tools: readonly Tool[], iterationLimit: number) {
  const role = { name: "role", priority: 0, text: prompt.text, tags: [], owner: "forge", stable: true };
  return {
    type,
    name: type,
    promptVersion: prompt.version,
    layers: [role],
    tools,
    iterationLimit,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}
