import { defined } from "../../domain/defined.ts";
import type { NewEvent } from "../../domain/events.ts";
import type { AssistantBlock } from "../../llm/ports.ts";
import type { Guarded } from "./guardrail.ts";
import type { End } from "./loop-state.ts";
import { change, type Run, type Turn } from "./turn.ts";

export interface GuardOutcome {
  readonly text: string;
  readonly events: readonly NewEvent[];
  /** The first guardrail that did not pass and left the text as it is. */
  readonly objection?: string;
  readonly end?: End;
}

/** Puts a text before all guardrails of its stage, one after the other; each sees what the one before left. */
export async function guard(guarded: Guarded, agentId: string, { dependencies }: Run): Promise<GuardOutcome> {
  let outcome: GuardOutcome = { text: guarded.text, events: [] };
  for (const { name, stages, tripwire, check } of dependencies.guardrails) {
    if (!stages.includes(guarded.stage)) continue;
    const verdict = await check({ ...guarded, text: outcome.text });
    if (verdict.pass) continue;
    const { reason, severity, replacement } = verdict;
    const event: NewEvent = {
      type: "guardrail.triggered",
      payload: {
        agentId,
        guardrail: name,
        stage: guarded.stage,
        severity,
        tripwire,
        reason,
        ...defined({ tool: guarded.tool }),
      },
    };
    outcome = {
      ...outcome,
      text: replacement ?? outcome.text,
      events: [...outcome.events, event],
      ...(replacement === undefined && outcome.objection === undefined ? { objection: reason } : {}),
    };
    if (tripwire) return { ...outcome, end: { reason: "guardrail", message: `Guardrail ${name}: ${reason}` } };
  }
  return outcome;
}

/** The words of a reply as the guardrails leave them; calls are looked at when they are carried out. */
export async function guardReply(
  turn: Turn,
  content: AssistantBlock[],
  run: Run,
): Promise<{ readonly turn: Turn; readonly content: AssistantBlock[]; readonly end?: End }> {
  const events: NewEvent[] = [];
  let end: End | undefined;
  const kept: AssistantBlock[] = [];
  for (const block of content) {
    if (block.type !== "text") {
      kept.push(block);
      continue;
    }
    const outcome = await guard({ stage: "reply", text: block.text }, turn.state.agent.id, run);
    events.push(...outcome.events);
    end ??= outcome.end;
    kept.push(outcome.text === block.text ? block : { ...block, text: outcome.text });
  }
  return { turn: change(turn, {}, ...events), content: kept, ...defined({ end }) };
}

type GuardedOutput =
  | { readonly is: "fine"; readonly output: unknown; readonly events: readonly NewEvent[] }
  | { readonly is: "refused"; readonly reason: string; readonly events: readonly NewEvent[]; readonly end?: End };

/** A result before the guardrails of words; what they replace in it has to fit its schema still. */
export async function guardOutput(output: unknown, agentId: string, run: Run): Promise<GuardedOutput> {
  const text = JSON.stringify(output) ?? "null";
  const { text: left, events, objection, end } = await guard({ stage: "reply", text }, agentId, run);
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
