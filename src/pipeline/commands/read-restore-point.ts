import type { NotRestorable, RestorePoint } from "../../domain/restore-point.ts";
import type { Subject } from "../../domain/subjects.ts";
import { readEvents } from "../../store/read-events.ts";
import { listRunsOfSubject } from "../../store/read-runs.ts";
import type { Store } from "../../store/store.ts";
import { restorePointOf } from "../runs/checkpoints/restore-point.ts";

/** The checkpoint of the newest work on an issue that `/forge retry v<n>` names. */
export async function readRestorePoint(
  store: Store,
  subject: Subject,
  version: number,
): Promise<RestorePoint | NotRestorable> {
  const run = (await listRunsOfSubject(store, subject)).find(({ kind }) => kind === "implement");
  if (!run) return { notRestorable: "no work was begun on this issue" };
  return restorePointOf(await readEvents(store, run.traceId), version);
}
