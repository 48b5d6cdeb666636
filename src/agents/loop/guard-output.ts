import type { NewEvent } from "../../domain/events.ts";
import { guard } from "./guard.ts";
import type { End } from "./loop-state.ts";
import type { Run } from "./turn.ts";

export type GuardedOutput =
  | { readonly is: "fine"; readonly output: unknown; readonly events: readonly NewEvent[] }
  | { readonly is: "refused"; readonly reason: string; readonly events: readonly NewEvent[]; readonly end?: End };

/** A result before the guardrails of words; what they replace in it has to fit its schema still. */
export function guardOutput(output: unknown, agentId: string, run: Run): GuardedOutput {
  const text = JSON.stringify(output) ?? "null";
  const { text: left, events, objection, end } = guard({ stage: "reply", text }, agentId, run);
  if (end) return { is: "refused", reason: end.message, events, end };
  if (objection !== undefined) return { is: "refused", reason: `Refused: ${objection}`, events };
  if (left === text) return { is: "fine", output, events };
  const mended = run.definition.output?.safeParse(parseJson(left));
  if (mended?.success) return { is: "fine", output: mended.data, events };
  return { is: "refused", reason: "Refused: the result holds what may not be handed on. Leave it out.", events };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
