import { join } from "node:path";
import { expect, it } from "vitest";
import type { NewJob } from "../../src/domain/jobs.ts";
import { addJobs } from "../../src/store/jobs/add-jobs.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { buryJob } from "../../src/store/jobs/held-job.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { temporaryFolder } from "../store/databases.ts";
import { at, pullRequest } from "../store/fixtures.ts";
import { checkRunFaults, deadFaults, deadSince } from "./violations.ts";

const SET_ASIDE = "Forge ended twice while at work on this: set aside";
const folder = temporaryFolder();

/** Lays a job among the dead letters. */
async function bury(store: Store, key: string, error: string): Promise<void> {
  const job: NewJob = { kind: "test", key, payload: { subject: pullRequest(), traceId: `tests:${key}` }, runAt: at(0) };
  await addJobs(store, [job]);
  const claimed = await claimJob(store, { workerId: "w", now: at(1), leaseMs: 10_000 });
  await buryJob(store, claimed!, error);
}

it("a story answers for the dead letters that it left, not for those of stories before it in the same world", async () => {
  const store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
  await bury(store, "first", SET_ASIDE);
  const before = new Set((await deadSince(store)).map(({ id }) => id));
  expect(before.size).toBe(1);
  expect(await deadSince(store, before)).toEqual([]);
  await bury(store, "second", "a fault");
  expect((await deadSince(store, before)).map(({ key }) => key)).toEqual(["second"]);
  await closeStore(store);
});

const dead = (kind: string, error: string) => ({ id: "1", kind, key: kind, payload: {}, error });

it("tests may be set aside after two deaths, never after one, and nothing else may be dead", () => {
  const tests = dead("test", SET_ASIDE);
  expect(deadFaults([tests], {})).toEqual([`dead test: ${SET_ASIDE}`]);
  expect(deadFaults([tests], { diedTwice: true })).toEqual([]);
  const others = [dead("test", "a fault"), dead("effects", SET_ASIDE)];
  const faults = ["dead test: a fault", `dead effects: ${SET_ASIDE}`];
  expect(deadFaults([tests, ...others], { diedTwice: true })).toEqual(faults);
});

it("tests that were set aside say so in a check beside that of the review", () => {
  const check = (name: string, conclusion: string) => ({ id: 1, name, conclusion, status: "completed", headSha: "a" });
  const faults = (checks: readonly ReturnType<typeof check>[], diedTwice = true) =>
    checkRunFaults({ headSha: "a", allCheckRuns: checks } as never, [dead("test", SET_ASIDE)], { diedTwice });
  const [review, tests] = [check("forge/review", "failure"), check("forge/tests", "action_required")];
  expect(faults([review, tests])).toEqual([]);
  expect(faults([review])).toEqual(["0 checks say that 1 tests were set aside"]);
  expect(faults([review, review, tests])).toEqual(["2 check-runs on the head"]);
  expect(faults([review, tests], false)).toContain("2 check-runs on the head");
});
