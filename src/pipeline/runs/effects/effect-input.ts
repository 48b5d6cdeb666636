import { defined } from "../../../domain/defined.ts";
import type { EffectKind, EffectResult, HostEffect } from "../../../domain/effects.ts";
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
export function inputFor(effect: StoredEffect<HostEffect>, result: EffectResult): Fields<Told> | undefined {
  const { placed = [], checkRunId, pullNumber, movedTo, merge, handle } = result;
  const posted = placed.length > 0 ? ({ type: "findings.posted", placed } as const) : undefined;
  switch (effect.kind) {
    case "branch.push": {
      const { branch, headSha } = effect.payload;
      return { type: "branch.pushed", branch, headSha, ...defined({ movedTo }) };
    }
    case "pull.merge":
      return merge && { type: "merge.settled", headSha: effect.payload.headSha, outcome: merge };
    case "deployment.begin": {
      const { step } = effect.payload.step.marker;
      return { type: "deploy.stepped", step, outcome: { is: "waiting" }, ...defined({ handle }) };
    }
    case "pull.open":
      if (pullNumber === undefined) return undefined;
      return { type: "pull.opened", number: pullNumber, headSha: effect.payload.headSha };
    case "check.complete":
    case "check.revise": {
      const { check, headSha, conclusion } = effect.payload;
      if (checkRunId === undefined) return posted;
      // Of the work on an issue, which has no ledger on the pull request: what the tests came to stands in its own log.
      if (check === "forge/tests") return undefined;
      return { type: "check.settled", check, headSha, conclusion, checkRunId, placed };
    }
    case "review.post":
      return posted;
    case "check.open":
    case "check.start":
    case "check.wait":
    case "check.park":
    case "check.progress":
    case "review.verdict":
    case "comment.react":
    case "comment.reply":
    case "gate.show":
    case "thread.resolve":
    case "thread.reopen":
    case "issue.status":
    case "issue.open":
    case "issue.explain":
    case "plan.show":
    case "pull.describe":
    case "pull.ready":
    case "merge.show":
    case "deployment.say":
    case "deploy.show":
    case "deploy.check":
    case "revert.open":
    case "feedback.show":
    case "rule.answer":
      return undefined;
    default:
      return effect satisfies never;
  }
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
