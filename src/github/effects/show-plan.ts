import { planText } from "../words/plan-text.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { keepComment } from "./keep-comment.ts";

/** The plan of a run, later with how it was answered: one comment for each run, edited in place (PLAN-1). */
export function showPlan(effect: EffectOf<"plan.show">, ports: EffectPorts): Promise<EffectOutcome> {
  return keepComment(effect, { kind: "plan", key: effect.runId }, planText(effect.payload, ports.wording), ports);
}
