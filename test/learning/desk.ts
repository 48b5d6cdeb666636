import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import type { PullInput } from "../../src/domain/inputs.ts";
import { JOB_CATALOGUE } from "../../src/domain/jobs.ts";
import { type Subject, subjectKey } from "../../src/domain/subjects.ts";
import { handleInput } from "../../src/pipeline/runs/handle-input.ts";
import type { JobContext } from "../../src/queue/ports.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { completeJob } from "../../src/store/jobs/held-job.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";

const LEASE_MS = 1_000;
type Learn = (payload: { readonly subject: Subject }, context: JobContext) => Promise<void>;

/** A database on disk that decides as Forge does, empty before each test of a file. `now` is the time on the wall: ISO 8601. */
export function deskForEach(now: () => string) {
  let folder: string;
  let url: string;
  let store: Store;
  let waited: number;
  const makeId = createIdMaker();
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "forge-learning-"));
    url = `file:${join(folder, "forge.db")}`;
    store = await openStore({ url });
    waited = 0;
  });
  afterEach(async () => {
    await closeStore(store);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    makeId,
    now,
    store: () => store,
    tell: async (...inputs: readonly PullInput[]) => {
      for (const input of inputs) await handleInput({ store, makeId }, input);
    },
    /** A process that dies: whatever it had in its hands is left as it is, and the lease of its job has run out when the next one looks. */
    die: async () => {
      await closeStore(store);
      store = await openStore({ url });
      waited += 2 * LEASE_MS;
    },
    /** Does the jobs of learning that wait, and says how many there were; a job that throws is left in the hands of the dead. */
    work: async (learn: Learn): Promise<number> => {
      for (let done = 0; ; done += 1) {
        const moment = new Date(Date.parse(now()) + waited).toISOString();
        const job = await claimJob(store, { workerId: "w", now: moment, leaseMs: LEASE_MS, kinds: ["learn"] });
        if (!job) return done;
        const fence = { jobId: job.id, token: job.token };
        await learn(JOB_CATALOGUE.learn.parse(job.payload), {
          ...{ signal: new AbortController().signal, attempt: job.attempt, fence, job },
        });
        await completeJob(store, job);
      }
    },
    feedback: async (subject: Subject): Promise<readonly RunEvent[]> =>
      (await readEvents(store, subjectKey(subject))).filter(({ type }) => type.startsWith("feedback.")),
  };
}
