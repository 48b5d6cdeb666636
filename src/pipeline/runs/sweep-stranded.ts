import type { NewJob } from "../../domain/jobs.ts";
import { addJobs } from "../../store/jobs/add-jobs.ts";
import { listIdleRuns, listStranded } from "../../store/jobs/read-jobs.ts";
import type { Store } from "../../store/store.ts";
import { applyEffects, deployOn, reviewOn, workOn } from "./decision.ts";

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
    ...runs.map((run) => TAKE_UP[run.kind](run, at)),
    ...subjects.map((subject) => applyEffects(subject, at)),
  ];
  await addJobs(store, jobs);
  return { runs: runs.length, subjects: subjects.length };
}

/** Takes up deployments that no job is for. Cheap, as it is looked for often: a version that is out is watched by somebody (DEP-1). */
export async function sweepUnwatched({
  store,
  now,
}: {
  readonly store: Store;
  readonly now: () => string;
}): Promise<{ deployments: number } | undefined> {
  const runs = await listIdleRuns(store, "deploy");
  if (runs.length === 0) return undefined;
  const at = now();
  await addJobs(
    store,
    runs.map((run) => deployOn(run, at)),
  );
  return { deployments: runs.length };
}

/** By each kind's own job: no other one knows what to do with its run. */
const TAKE_UP = { review: reviewOn, implement: workOn, deploy: deployOn } as const;
