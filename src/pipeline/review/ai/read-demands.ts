import type { Demands } from "../../../agents/reviewer/brief.ts";
import { readEvents } from "../../../store/read-events.ts";
import type { Store } from "../../../store/store.ts";
import type { RunState } from "../run-state.ts";

/** What the plan demands of a change that Forge itself made, as people saw it last (PLAN-1); undefined for the changes of others. */
export async function readDemands(store: Store, run: RunState | undefined): Promise<Demands | undefined> {
  if (!run?.implements) return undefined;
  const events = await readEvents(store, run.implements.runId);
  const proposed = events.findLast((event) => event.type === "plan.proposed");
  if (proposed?.type !== "plan.proposed") return undefined;
  const { constraints, acceptance_criteria: criteria, not_included: notIncluded } = proposed.payload.plan;
  return { constraints, criteria, notIncluded };
}
