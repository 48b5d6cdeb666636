import type { NewJob } from "../domain/jobs.ts";
import { enqueueJobs } from "./enqueue-jobs.ts";
import type { Store } from "./store.ts";

/** Enqueues jobs that follow from no decision: repairs. */
export async function addJobs(store: Store, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await store.queue.alone(enqueueJobs(jobs));
  for (const listener of store.jobListeners) listener(jobs.map(({ key }) => key));
}
