import { answeredAt } from "../../domain/event-catalogue.ts";
import type { Subject } from "../../domain/subjects.ts";
import { reviewedBy } from "../../pipeline/views/view-run.ts";
import { readEventsOfTypes } from "../../store/events/read-log-page.ts";
import type { ListedRun } from "../../store/runs/overview.ts";
import type { Store } from "../../store/store.ts";
import type { ActionName } from "./action.ts";

/** The issue or pull request where the comment for an action on a run is written. Undefined where there is none that people can write to. */
export async function placeOf(store: Store, run: ListedRun, action: ActionName): Promise<Subject | undefined> {
  const place = await conversationOf(store, run, action);
  return place?.kind === "issue" || place?.kind === "pull_request" ? place : undefined;
}

async function conversationOf(store: Store, run: ListedRun, action: ActionName): Promise<Subject | undefined> {
  // Findings belong to the pull request, also those of work on an issue.
  if (action === "dismiss" || action === "undismiss") return reviewedBy(run);
  if (run.subject.kind !== "environment") return run.subject;
  const [started] = await readEventsOfTypes(store, run.runId, ["run.started"], 1);
  return started?.type === "run.started" ? answeredAt(started.payload) : undefined;
}
