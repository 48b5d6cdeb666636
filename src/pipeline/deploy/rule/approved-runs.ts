import { type Subject, subjectKey } from "../../../domain/subjects.ts";
import { readEvents } from "../../../store/events/read-events.ts";
import type { Store } from "../../../store/store.ts";

/**
 * The runs of workflows that Forge let deploy to an environment as its rule, by number. Where there is one, the environment has asked Forge
 * since, and a run that it did not let through deployed nothing there.
 * @param log whose log has the answers: the environment, or the one that all environments of others share
 * @param environment as GitHub names it
 */
export async function readApprovedRuns(store: Store, log: Subject, environment: string): Promise<ReadonlySet<number>> {
  const approved = (await readEvents(store, subjectKey(log))).flatMap((event) => {
    if (event.type !== "rule.answered" || event.payload.answer.is !== "approved") return [];
    const { workflowRunId, environment: name } = event.payload.asked;
    return name.toLowerCase() === environment.toLowerCase() ? [workflowRunId] : [];
  });
  return new Set(approved);
}
