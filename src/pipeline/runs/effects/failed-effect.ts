import type { EffectKind } from "../../../domain/effects.ts";
import type { ErrorFacts } from "../../../domain/errors.ts";
import type { EffectFailed } from "../../../domain/inputs.ts";

/** What `error.escalated` says of an effect that failed; `during` is its key. */
export function failureOf({ error, effect }: EffectFailed): { error: ErrorFacts; during: string; effect: EffectKind } {
  return { error, during: effect.key, effect: effect.kind };
}

/** The kind of effect that failed. Events that were stored before it was said have it in the key alone, after the head. */
export function failedEffect(escalated: {
  readonly during: string;
  readonly effect?: string | undefined;
}): string | undefined {
  return escalated.effect ?? /\/([a-z]+\.[a-z]+)\//.exec(escalated.during)?.[1];
}
