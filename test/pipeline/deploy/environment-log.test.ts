import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { environmentSubject } from "../../../src/domain/deployments.ts";
import type { NewEvent } from "../../../src/domain/events.ts";
import { createIdMaker } from "../../../src/domain/ids.ts";
import { subjectKey } from "../../../src/domain/subjects.ts";
import { ENVIRONMENT_LOG, readEnvironmentLog } from "../../../src/pipeline/deploy/environment-log.ts";
import { commitDecision } from "../../../src/store/commit-decision.ts";
import { readEvents, verifyRun } from "../../../src/store/events/read-events.ts";
import { readFolded } from "../../../src/store/events/read-folded.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";
import { statement } from "../../../src/store/statement.ts";
import type { Store } from "../../../src/store/store.ts";
import { scratchFolder } from "../../analysis/change-of.ts";

const there = environmentSubject({ id: 7, owner: "ana", name: "shop", installationId: 1 }, "production");
const own = subjectKey(there);
const sha = (index: number) => String(index).padStart(40, "0");
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0)) await each();
});

/** A store of a process that has read nothing yet. */
async function begin(file: string): Promise<Store> {
  const store = await openStore({ url: `file:${file}` });
  undo.push(() => closeStore(store));
  return store;
}

async function restart(file: string): Promise<Store> {
  for (const each of undo.splice(0)) await each();
  return begin(file);
}

const makeId = createIdMaker();
async function append(store: Store, from: number, many: number) {
  const events = Array.from({ length: many }, (_, index): NewEvent => {
    if (index % 7 === 3) return { type: "environment.held", payload: { hold: { by: "ana", why: "no", at: "2026" } } };
    if (index % 7 === 5) return { type: "environment.released", payload: {} };
    return { type: "environment.deployed", payload: { sha: sha(from + index), runId: "r", healthy: index % 2 === 0 } };
  });
  const decided = { appends: [{ traceId: own, expectedVersion: from, events }], at: "2026-11-23T10:00:00.000Z" };
  await commitDecision(store, { ...decided, makeId, source: "test" });
}

/** How many events are folded by a read. */
async function folded(store: Store, name = ENVIRONMENT_LOG.name) {
  let count = 0;
  const state = await readFolded(store, own, {
    ...ENVIRONMENT_LOG,
    name,
    evolve: (before, event) => {
      count += 1;
      return ENVIRONMENT_LOG.evolve(before, event);
    },
  });
  return { count, state };
}

it("PROD-3, EVT-3: a log is read from where it was folded last, in this process and in the next, and says the same as all of it", async () => {
  const file = join(await scratchFolder(), "forge.db");
  let store = await begin(file);
  expect(await readEnvironmentLog(store, there)).toEqual(ENVIRONMENT_LOG.empty);
  for (const [from, many] of [
    [0, 250],
    [250, 3],
    [253, 60],
  ] as const) {
    await append(store, from, many);
    const { count, state } = await folded(store);
    expect(count).toBe(many);
    expect(state).toEqual((await readEvents(store, own)).reduce(ENVIRONMENT_LOG.evolve, ENVIRONMENT_LOG.empty));
    expect(await folded(store)).toEqual({ count: 0, state });
  }
  store = await restart(file);
  const { count, state } = await folded(store);
  expect(count).toBeLessThan(100);
  expect(JSON.stringify(state)).toBe(
    JSON.stringify((await readEvents(store, own)).reduce(ENVIRONMENT_LOG.evolve, ENVIRONMENT_LOG.empty)),
  );
  expect(state.facts.version).toBe(313);
  expect(await verifyRun(store, own)).toEqual({});
});

it("EVT-3: a stored state is rebuilt from the log where it is of another version, is not of this log, or is missing", async () => {
  const file = join(await scratchFolder(), "forge.db");
  const store = await begin(file);
  await append(store, 0, 130);
  await folded(store);
  expect(await folded(store, "environment 2")).toMatchObject({ count: 130 });
  for (const spoil of [sql`update folded_logs set hash = 'x'`, sql`delete from folded_logs`]) {
    const next = await restart(file);
    await next.queue.together([statement(spoil)]);
    expect(await folded(next)).toMatchObject({ count: 130, state: { facts: { version: 130 } } });
  }
});
