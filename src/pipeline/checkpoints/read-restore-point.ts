import type { NotRestorable, RestorePoint } from "../../domain/implementation.ts";
import type { Subject } from "../../domain/subjects.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { listRunsOfSubject } from "../../store/runs/read-runs.ts";
import type { Store } from "../../store/store.ts";
import { KINDS } from "../kinds.ts";

/** The checkpoint that `/forge retry v<n>` names: of the newest run of the subject that can go back to one. */
export async function readRestorePoint(
  store: Store,
  subject: Subject,
  version: number,
): Promise<RestorePoint | NotRestorable> {
  for (const { kind, traceId } of await listRunsOfSubject(store, subject)) {
    const { restore } = KINDS[kind];
    if (restore) return restore(await readEvents(store, traceId), version);
  }
  return { notRestorable: "no work was begun on this issue" };
}
