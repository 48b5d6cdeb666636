import type { NewJob } from "../../domain/jobs.ts";
import { addJobs } from "../../store/jobs/add-jobs.ts";
import { listIdleRuns, listStranded } from "../../store/jobs/read-jobs.ts";
import type { Store } from "../../store/store.ts";
import { KINDS } from "../kinds.ts";
import { applyEffects } from "./decision.ts";

/**
 * Takes up what has no job any more: active runs and decided effects that no job is for (GH-12a). Normally there
 * is nothing of the kind; a dead letter or a mended bug leaves it.
 */
export async function sweepStranded({
  store,
  now,
}: {
  readonly store: Store;
  readonly now: () => string;
}): Promise<{ runs: number; subjects: number } | undefined> {
  const { runs, subjects } = await listStranded(store);
  if (runs.length + subjects.length === 0) return undefined;
  const at = now();
  const jobs: NewJob[] = [
    ...runs.map((run) => KINDS[run.kind].wake(run, at)),
    ...subjects.map((subject) => applyEffects(subject, at)),
  ];
  await addJobs(store, jobs);
  return { runs: runs.length, subjects: subjects.length };
}

/** Takes up runs that no job is for, of the kinds that must not be without one for long. Cheap, as it is looked for often. */
export async function sweepUrgent({
  store,
  now,
}: {
  readonly store: Store;
  readonly now: () => string;
}): Promise<{ runs: number } | undefined> {
  const urgent = Object.values(KINDS).filter((kind) => kind.urgent);
  const idle = await Promise.all(urgent.map(({ name }) => listIdleRuns(store, name)));
  const at = now();
  const jobs = idle.flat().map((run) => KINDS[run.kind].wake(run, at));
  if (jobs.length === 0) return undefined;
  await addJobs(store, jobs);
  return { runs: jobs.length };
}
