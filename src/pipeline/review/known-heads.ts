import type { PullRequestEnds, Subject } from "../../domain/subjects.ts";
import { listRunsByHead } from "../../store/list-subjects.ts";
import { readEvents } from "../../store/read-events.ts";
import type { Store } from "../../store/store.ts";
import { replay } from "./evolve.ts";

/** The subjects that have this head, from Forge's own record (GH-5). */
export async function knownHeads(
  store: Store,
  repositoryId: number,
  headSha: string,
): Promise<{ subject: Subject; ends: PullRequestEnds }[]> {
  const rows = await listRunsByHead(store, repositoryId, headSha);
  const runs = await Promise.all(rows.map(async ({ runId }) => replay(await readEvents(store, runId))));
  return runs.flatMap((run) => (run ? [{ subject: run.subject, ends: run.ends }] : []));
}
