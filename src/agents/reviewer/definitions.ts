import type { Tool } from "../../tools/tool.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import { loadPrompt, type Prompt } from "../prompts/load-prompt.ts";
import { ReviewerOutput, VerifierOutput } from "./claims.ts";

/** Model calls of the verifier: with eight of the readers a review stays within twelve. */
const VERIFIER_ITERATIONS = 4;
const MOST_REVIEWER_ITERATIONS = 8;
const OUTPUT_TOKENS = 8_000;

type Limited<Output> = AgentDefinition<Output> & { readonly iterationLimit: number };

/** @param parts readers that share the calls of one reading; each has two at least, one to look and one to say */
export function reviewerAgent(tools: readonly Tool[], iterations: number, parts: number): Limited<ReviewerOutput> {
  const limit = Math.max(Math.min(2, iterations), Math.floor(Math.min(iterations, MOST_REVIEWER_ITERATIONS) / parts));
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
