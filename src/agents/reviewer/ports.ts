import type { SuggestedFix } from "../../domain/findings.ts";
import type { AgentDefinition } from "../agent-definition.ts";
import type { RunReport } from "../loop/run-report.ts";
import type { Demonstration } from "./claims.ts";
import type { Proof, Unproven } from "./grade-claim.ts";

export type AgentOutcome<Output> = { readonly report: RunReport } & (
  | { readonly ok: true; readonly output: Output }
  /** Why it did not get to its end, in a sentence that follows "the AI layer was not finished: ". */
  | { readonly ok: false; readonly reason: string }
);

/**
 * Runs one agent to its end, or takes it up where its last checkpoint stands. `key` names it among the agents of the run
 * (`reviewer/1`), and is the same at every attempt.
 */
export type RunAgent = <Output>(
  definition: AgentDefinition<Output>,
  start: { readonly key: string; readonly task: string },
) => Promise<AgentOutcome<Output>>;

/** Runs a demonstration of a fault in `file` in the sandbox; where it shows nothing, or nothing can be run, it says why. */
export type Prove = (
  demonstration: Demonstration,
  fix: SuggestedFix | undefined,
  file: string,
) => Promise<Proof | Unproven>;

/** Whether a demonstration still fails; undefined where it cannot be executed. */
export type StillFails = (demonstration: Demonstration) => Promise<boolean | undefined>;

/** Applies a fix in a clone: whether it parses, type-checks and leaves the affected tests green (REV-4). */
export type TryFix = (fix: SuggestedFix) => Promise<boolean>;
