import type { BounceCause, Feedback } from "./implementation.ts";
import type { Phase } from "./phases.ts";
import type { Estimate, Plan } from "./plan.ts";

/** An earlier point of a run on an issue to which it can be taken back (PIPE-6): the phase, plan and feedback of then, on the present commit. */
export interface RestorePoint {
  readonly runId: string;
  /** Of the log: the point is after so many events. */
  readonly version: number;
  readonly phase: Phase;
  /** The commit of then: where it is not the present one any more nothing is restored. */
  readonly headSha: string;
  readonly plan?: { readonly plan: Plan; readonly estimate: Estimate };
  readonly back?: { readonly cause: BounceCause; readonly feedback: readonly Feedback[] };
  /** What was done since and cannot be taken back, each in words that stand alone. */
  readonly lasting: readonly string[];
}

/** Why there is no going back to a point, in words that follow "because". */
export interface NotRestorable {
  readonly notRestorable: string;
}
