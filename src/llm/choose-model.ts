import type { ModelChain, Models } from "./create-models.ts";

/** Kinds of work, and the model they want (LLM-1). */
const WANTED = {
  planning: "strong",
  implementation: "strong",
  /** Refuting a finding: a wrong yes or no here is what people read. */
  verification: "strong",
  deployment: "fast",
  review: "fast",
  testing: "fast",
  reflection: "fast",
  ask: "fast",
} as const satisfies Record<string, "strong" | "fast">;
export type Work = keyof typeof WANTED;

/** With less than this share of a limit left the strong model is not begun with any more. */
const RUNNING_LOW = 0.2;

/** The model for a kind of work, with what stands in for it: the fast one also where the remaining budget asks for it. */
export function chooseModel(
  models: Extract<Models, { configured: true }>,
  work: Work,
  left: { readonly share: number },
): ModelChain {
  return WANTED[work] === "strong" && left.share >= RUNNING_LOW ? models.strong : models.fast;
}
