import { defined } from "../../../domain/defined.ts";
import type { EffectKind, EffectResult } from "../../../domain/effects.ts";
import type { ErrorFacts } from "../../../domain/errors.ts";
import type { EffectFailed, Input } from "../../../domain/inputs.ts";
import type { StoredEffect } from "../../../store/effects/read-effects.ts";

/** Inputs that tell the pipeline what became of an effect. */
export type Told = Extract<
  Input,
  {
    type:
      | "findings.posted"
      | "check.settled"
      | "effect.failed"
      | "branch.pushed"
      | "pull.opened"
      | "merge.settled"
      | "deploy.stepped";
  }
>;

/** The part of such an input that the effect does not hold. */
export type Fields<T> = T extends Told ? Omit<T, "subject" | "at" | "newRunId" | "runId"> : never;

/** The input for the pipeline after an effect was applied; undefined where nothing waits for it. */
export function inputFor(effect: StoredEffect, result: EffectResult): Fields<Told> | undefined {
  const { placed = [], checkRunId, pullNumber, movedTo } = result;
  if (effect.kind === "branch.push") {
    const { branch, headSha } = effect.payload;
    return { type: "branch.pushed", branch, headSha, ...defined({ movedTo }) };
  }
  if (effect.kind === "pull.merge" && result.merge) {
    return { type: "merge.settled", headSha: effect.payload.headSha, outcome: result.merge };
  }
  if (effect.kind === "deployment.begin") {
    const { step } = effect.payload.step.marker;
    return { type: "deploy.stepped", step, outcome: { is: "waiting" }, ...defined({ handle: result.handle }) };
  }
  if (effect.kind === "pull.open" && pullNumber !== undefined) {
    return { type: "pull.opened", number: pullNumber, headSha: effect.payload.headSha };
  }
  if ((effect.kind === "check.complete" || effect.kind === "check.revise") && checkRunId !== undefined) {
    const { check, headSha, conclusion } = effect.payload;
    // Of the work on an issue, which has no ledger on the pull request: what the tests came to stands in its own log.
    if (check === "forge/tests") return undefined;
    return { type: "check.settled", check, headSha, conclusion, checkRunId, placed };
  }
  return placed.length > 0 ? { type: "findings.posted", placed } : undefined;
}

/** The `error.escalated` of an effect that failed; `during` is its key. */
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
