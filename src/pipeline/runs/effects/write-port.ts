import type { EffectResult, HostEffect } from "../../../domain/effects.ts";
import type { ErrorFacts } from "../../../domain/errors.ts";
import type { StoredEffect } from "../../../store/effects/read-effects.ts";

/** The record of an attempt, so that a crash shows how far it came. Both throw when the work is another worker's by now. */
export interface AttemptLog {
  /** Before each write of an attempt, which begins with the `first`: from here on the effect is looked up before it is sent again. */
  readonly sending: (first: boolean) => Promise<void>;
  /** The host gave no answer before anything was sent: an attempt all the same. */
  readonly unanswered: () => Promise<void>;
}

export interface SendContext extends AttemptLog {
  /** Aborted when the process stops: a request that fails because of it is no fault of the effect. */
  readonly signal: AbortSignal;
}

/** Where decided effects are written: makes the host match one of them. Safe to repeat; throws only for bugs, or when it is stopped. */
export type SendEffect = (effect: StoredEffect<HostEffect>, context: SendContext) => Promise<EffectOutcome>;

export type EffectOutcome =
  | { readonly kind: "done"; readonly result: EffectResult }
  /** To be tried again, not before `at` (ISO 8601). `forBudget`: what is left may still be in the budget of another effect. */
  | { readonly kind: "retry"; readonly at: string; readonly reason: string; readonly forBudget?: boolean }
  | { readonly kind: "failed"; readonly error: ErrorFacts }
  /** Its target is gone. */
  | { readonly kind: "obsolete"; readonly reason: string };

/** Whether it only says that Forge is there and how far it is. Where the budget is short, what people wait for goes first. */
export function isCourtesy(effect: HostEffect): boolean {
  switch (effect.kind) {
    case "comment.react":
    case "check.start":
    case "check.progress":
    case "pull.describe":
      return true;
    case "issue.status": {
      const { ending, gates, step } = effect.payload.status;
      return ending === undefined && gates.length === 0 && step.is !== "ready";
    }
    case "deploy.show":
    case "deploy.check": {
      const { end, is, steps } = effect.payload.standing;
      // A gate has a comment of its own; nobody but this says that there is time to object, that a word is missing, that it goes back, or how
      // it ended.
      return end === undefined && is !== "announced" && is !== "going_back" && steps.at(-1)?.unclear !== true;
    }
    case "check.open":
    case "review.post":
    case "review.verdict":
    case "check.complete":
    case "check.revise":
    case "comment.reply":
    case "gate.show":
    case "check.wait":
    case "check.park":
    case "thread.resolve":
    case "thread.reopen":
    case "plan.show":
    case "branch.push":
    case "pull.open":
    case "pull.merge":
    case "merge.show":
    case "pull.ready":
    case "deployment.begin":
    case "deployment.say":
    case "revert.open":
    case "feedback.show":
    case "issue.open":
    case "issue.explain":
    case "rule.answer":
      return false;
    default:
      return effect satisfies never;
  }
}
