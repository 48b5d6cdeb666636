import { implementationStatusText } from "../words/implementation-status-text.ts";
import type { EffectOf, EffectOutcome, EffectPorts } from "./effect-ports.ts";
import { keepComment } from "./keep-comment.ts";

/** The status comment of an implementation: one for each run, edited in place (GH-12). */
export function showStatus(effect: EffectOf<"issue.status">, ports: EffectPorts): Promise<EffectOutcome> {
  const text = implementationStatusText(effect.payload.status, ports.wording, effect.runId);
  return keepComment(effect, { kind: "status", key: effect.runId }, text, ports);
}
