import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { GENESIS, hashEvent } from "../../../src/domain/events.ts";
import { JOB_CATALOGUE } from "../../../src/domain/jobs.ts";
import { Subject, subjectKey } from "../../../src/domain/subjects.ts";
import { compareReplay } from "../../../src/pipeline/compare-replay.ts";
import { sweepStranded } from "../../../src/pipeline/runs/sweep-stranded.ts";
import { toStoredEvent } from "../../../src/store/events/read-events.ts";
import { claimJob } from "../../../src/store/jobs/claim-job.ts";
import { readRun } from "../../../src/store/runs/read-runs.ts";
import { events } from "../../../src/store/schema.ts";
import { statement } from "../../../src/store/statement.ts";
import type { Store } from "../../../src/store/store.ts";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld();
const now = () => "2026-11-20T10:05:00.000Z";

/** What earlier versions had in the place of a name. */
const asNumber = (json: string) => json.replaceAll('"environment":"production"}', '"number":2}');

/** Rewrites a database to what a version stored that knew environments by number: runs, effects, jobs, and the events of a run. */
async function storeNumbers(store: Store, runId: string): Promise<void> {
  const { read } = store;
  const rows = await read.select().from(events).where(sql`${events.traceId} = ${runId}`).orderBy(events.version);
  let previousHash = GENESIS;
  const written = rows.map((row) => {
    const { hash: _made, ...stored } = toStoredEvent({ ...row, payload: subjectAsNumber(row.payload) });
    const linked = { ...stored, previousHash };
    previousHash = hashEvent(linked);
    const payload = JSON.stringify(linked.payload);
    return statement(
      sql`update events set payload = ${payload}, previous_hash = ${linked.previousHash}, hash = ${previousHash} where id = ${row.id}`,
    );
  });
  const old = sql`replace(subject, '"environment":"production"}', '"number":2}')`;
  await store.queue.together([
    ...written,
    statement(sql`update runs set subject = ${old} where json_extract(subject, '$.kind') = 'environment'`),
    statement(sql`update effects set subject = ${old} where json_extract(subject, '$.kind') = 'environment'`),
    statement(sql`update jobs set payload = replace(payload, '"environment":"production"}', '"number":2}')`),
  ]);
}

function subjectAsNumber(payload: string): string {
  const { subject, ...rest } = JSON.parse(payload);
  return JSON.stringify(subject ? { subject: JSON.parse(asNumber(JSON.stringify(subject))), ...rest } : rest);
}

it("DATA-1, DEP-1: an environment that was stored as a number is read by its name, under the same key", () => {
  const { subject } = world;
  const { environment: _named, ...rest } = subject;
  const stored = (number: number) => Subject.parse({ ...rest, number });
  expect(stored(2)).toEqual(subject);
  expect([1, 2, 3].map((number) => subjectKey(stored(number)))).toEqual([
    ...["environment:7:1", "environment:7:2", "environment:7:3"],
  ]);
  expect(Subject.safeParse({ ...rest, number: 4 }).success).toBe(false);
  const pull = { kind: "pull_request", repository: subject.repository, number: 2 };
  expect(Subject.parse(pull)).toEqual(pull);
});

it("DATA-1, EVT-3: a deployment that was stored with a number replays to the same, and goes on", async () => {
  const { store, subject } = world;
  const run = await world.request();
  await storeNumbers(store, run);
  const [row] = await store.read.all<{ subject: string }>(sql`select subject from runs where trace_id = ${run}`);
  expect(JSON.parse(row?.subject ?? "")).toMatchObject({ kind: "environment", number: 2 });
  expect(await readRun(store, run)).toMatchObject({ subject, status: "pending" });
  expect(await compareReplay(store, run)).toMatchObject({ events: 1, differences: [] });
  await world.observe();
  expect(await readRun(store, run)).toMatchObject({ subject, status: "running" });
  expect(await compareReplay(store, run)).toMatchObject({ differences: [] });
});

it("GH-12a, DATA-1: jobs and effects that were stored with a number are for the same environment as those that come now", async () => {
  const { store, subject } = world;
  const run = await world.request();
  await storeNumbers(store, run);
  expect(await sweepStranded({ store, now })).toBeUndefined();
  const job = await claimJob(store, { workerId: "w", now: now(), leaseMs: 1_000, kinds: ["deploy"] });
  expect(job?.payload).toMatchObject({ subject: { number: 2 } });
  expect(JOB_CATALOGUE.deploy.parse(job?.payload)).toEqual({ runId: run, subject });
  await store.queue.together([statement(sql`delete from jobs`)]);
  expect(await sweepStranded({ store, now })).toMatchObject({ runs: 1, subjects: 1 });
  const queued = await store.read.all<{ payload: string }>("select payload from jobs where kind = 'effects'");
  expect(queued.map(({ payload }) => JSON.parse(payload).subject)).toEqual([subject]);
  // What is queued now is of this version, and the effects are of the earlier one.
  expect(await sweepStranded({ store, now })).toBeUndefined();
});
