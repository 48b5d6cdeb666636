import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sweepStranded } from "../../../src/pipeline/runs/sweep-stranded.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { claimJob } from "../../../src/store/jobs/claim-job.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { at, decision, pullRequest, run } from "../../store/fixtures.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "forge-stranded-"));
  store = await openStore({ url: `file:${join(folder, "forge.db")}` });
});
afterEach(async () => {
  await closeStore(store);
  rmSync(folder, { recursive: true, force: true });
});

it("GH-12a: a run without a job is taken up by whoever does work of its kind", async () => {
  const issue = { ...pullRequest(2), kind: "issue" } as const;
  const runs = [run("of-a-pull", "running"), run("of-an-issue", "running", { kind: "implement", subject: issue })];
  await commitDecision(store, decision({ appends: [], run: runs }));
  expect(await sweepStranded({ store, now: () => at(1) })).toEqual({ runs: 2, subjects: 0 });
  const claim = () => claimJob(store, { workerId: "a", now: at(2), leaseMs: 1000 });
  const taken = [await claim(), await claim()].map((job) => `${job?.kind} ${job?.runId}`);
  expect(taken.sort()).toEqual(["implement of-an-issue", "review of-a-pull"]);
  expect(await sweepStranded({ store, now: () => at(2) })).toBeUndefined();
});
