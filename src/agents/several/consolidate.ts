import { errorFacts } from "../../domain/errors.ts";
import type { LoopState } from "../loop/loop-state.ts";

/** What became of agents that ran at the same time. */
export interface Consolidated<Merged> {
  readonly merged: Merged;
  /** Agents that gave no output, by their place, and why. */
  readonly missing: readonly { readonly index: number; readonly reason: string }[];
}

/**
 * Agents at the same time, their outputs made into one (LOOP-19). One that fails does not take the others' work with it; `merge` gets
 * what there is, in the order of the agents.
 */
export async function consolidate<Merged>(
  agents: readonly (() => Promise<LoopState>)[],
  merge: (outputs: readonly unknown[]) => Merged,
): Promise<Consolidated<Merged>> {
  const settled = await Promise.allSettled(agents.map((agent) => agent()));
  const results = settled.map((result, index) => ({ index, ...outputOf(result) }));
  return {
    merged: merge(results.flatMap((result) => ("output" in result ? [result.output] : []))),
    missing: results.flatMap((result) => ("reason" in result ? [{ index: result.index, reason: result.reason }] : [])),
  };
}

function outputOf(result: PromiseSettledResult<LoopState>): { output: unknown } | { reason: string } {
  if (result.status === "rejected") return { reason: errorFacts(result.reason).message };
  const { standing } = result.value;
  if (standing.is !== "ended") return { reason: "it waits for a person" };
  return standing.end.reason === "completed" ? { output: standing.end.output } : { reason: standing.end.message };
}
