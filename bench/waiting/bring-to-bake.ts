import type { Coverage } from "../../src/domain/coverage.ts";
import { type DeployFacts, EnvironmentSettings, environmentSubject } from "../../src/domain/deployments.ts";
import { createIdMaker } from "../../src/domain/ids.ts";
import type { Input } from "../../src/domain/inputs.ts";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";
import type { Subject } from "../../src/domain/subjects.ts";
import { deployOn } from "../../src/pipeline/deploy/deploy-on.ts";
import { handleInput } from "../../src/pipeline/runs/handle-input.ts";
import { nextEffects } from "../../src/store/effects/read-effects.ts";
import { settleEffect } from "../../src/store/effects/settle-effect.ts";
import { addJobs } from "../../src/store/jobs/add-jobs.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { completeJob } from "../../src/store/jobs/held-job.ts";
import type { Store } from "../../src/store/store.ts";

/** Two looks of one bake are so far apart: none is due while it is measured. */
const PROBE_SECONDS = 3_600;

/**
 * Brings deployments to where a version is out at 5 % of the traffic and bakes, each in a repository of its own: through the inputs that a worker
 * gives, with its jobs done and its effects on GitHub.
 * @param at ISO 8601: when all of it happened
 */
export async function bringToBake(
  store: Store,
  { installationId, count, at }: { readonly installationId: number; readonly count: number; readonly at: string },
): Promise<void> {
  const makeId = createIdMaker();
  for (let index = 0; index < count; index += 1) {
    const repository = { id: 1_000_000 + index, owner: "acme", name: `service-${index}`, installationId };
    const subject = environmentSubject(repository, "staging");
    const runId = makeId();
    const tell = async (fields: object): Promise<void> => {
      const { ignored } = await handleInput({ store, makeId }, {
        runId,
        ...fields,
        subject,
        at,
        newRunId: runId,
      } as unknown as Input);
      if (ignored !== undefined) throw new Error(`${(fields as Input).type} was ignored: ${ignored}`);
    };
    const sha = index.toString(16).padStart(40, "b");
    await tell({ type: "deploy.requested", deploy: { ...REQUEST, sha } });
    await tell({ type: "deploy.observed", seen: seenOf(sha) });
    await tell({ type: "deploy.verified", is: "passed", summary: "12 passed, 0 failed." });
    await tell({ type: "deploy.stepped", step: 0, outcome: { is: "done" }, handle: { deploymentId: index + 1 } });
    await carryOutJobs(store, at);
    const next = new Date(Date.parse(at) + PROBE_SECONDS * 1_000).toISOString();
    await addJobs(store, [deployOn({ runId, subject }, next)]);
  }
}

const REQUEST = {
  ...{ environment: "staging", cause: "merge", id: "merged:12" },
  by: { login: "ana", id: 1, kind: "user" },
} as const;

function seenOf(sha: string) {
  const change = { number: 12, title: "Sum right", author: "ben", risk: "medium", reviewed: "approve" } as const;
  const coverage: Coverage = {
    ...{ requires: ["review", "tests"], from: { sha: "a".repeat(40), by: "record" }, beyond: 0 },
    landings: [{ sha, title: "Sum right", commits: 2, pull: 12, waivers: [], lacks: [] }],
  };
  const facts: DeployFacts = {
    ...{ sha, ref: "main", previous: "a".repeat(40), merged: true, older: false, more: 0, direct: 0, migrations: [] },
    ...{ risk: "medium", changes: [{ ...change, open: 0, blocking: 0 }], coverage },
  };
  return {
    ...{ settings: EnvironmentSettings.parse({ probe_seconds: PROBE_SECONDS }), environment: "staging", facts },
    ...{ gates: DEFAULT_REPO_CONFIG.gates, separate: true, watched: ["errors"], onward: false },
  };
}

/** What a worker would have done by then. */
async function carryOutJobs(store: Store, at: string): Promise<void> {
  for (;;) {
    const job = await claimJob(store, { workerId: "filling", now: at, leaseMs: 60_000 });
    if (!job) return;
    const fence = { jobId: job.id, token: job.token };
    if (job.kind === "effects") {
      const { subject } = job.payload as { subject: Subject };
      for (const { key } of await nextEffects(store, subject)) {
        await settleEffect(store, { key, settlement: { state: "done" } }, at, fence);
      }
    }
    await completeJob(store, job);
  }
}
