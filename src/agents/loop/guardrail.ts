import type { ErrorSeverity } from "../../domain/errors.ts";

export const GUARDRAIL_STAGES = ["tool_input", "tool_output", "reply"] as const;
export type GuardrailStage = (typeof GUARDRAIL_STAGES)[number];

/** The input of a guardrail: the arguments of a call, what came back from it, or the words of the model. */
export interface Guarded {
  readonly stage: GuardrailStage;
  readonly text: string;
  readonly tool?: string;
  readonly input?: unknown;
}

export type GuardrailVerdict =
  | { readonly pass: true }
  | {
      readonly pass: false;
      readonly reason: string;
      readonly severity: ErrorSeverity;
      /** Replaces the text. Without it a call is refused and a text goes on as it is, with the reason in front. */
      readonly replacement?: string;
    };

/** A check with a name (LOOP-14); a tripwire that does not pass ends the loop. */
export interface Guardrail {
  readonly name: string;
  readonly stages: readonly GuardrailStage[];
  readonly tripwire: boolean;
  readonly check: (guarded: Guarded) => GuardrailVerdict | Promise<GuardrailVerdict>;
}
