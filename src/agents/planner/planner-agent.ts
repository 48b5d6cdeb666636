import { Plan } from "../../domain/plan.ts";
import type { Tool } from "../../tools/tool.ts";
import { type AgentDefinition, ITERATION_LIMITS } from "../agent-definition.ts";
import { loadPrompt } from "../prompts/load-prompt.ts";
import { type PlanFacts, reviewPlan } from "./review-plan.ts";

/** Twenty tasks with their descriptions need about nine thousand. */
const OUTPUT_TOKENS = 12_000;

/**
 * Makes a plan of an issue (PLAN-1); its tools read. A plan that does not fit the repository is handed back to it with what is wrong, as
 * one is that does not fit the schema.
 */
export function plannerAgent(
  tools: readonly Tool[],
  facts: PlanFacts,
): AgentDefinition<Plan> & { readonly iterationLimit: number } {
  const { text, version } = loadPrompt("planner");
  return {
    type: "planner",
    name: "planner",
    promptVersion: version,
    layers: [{ name: "role", priority: 0, text, tags: [], owner: "forge", stable: true }],
    tools,
    output: Plan.superRefine((plan, context) => {
      for (const message of reviewPlan(plan, facts)) context.addIssue({ code: "custom", message, path: ["tasks"] });
    }),
    iterationLimit: ITERATION_LIMITS.planner,
    maxOutputTokens: OUTPUT_TOKENS,
  };
}
