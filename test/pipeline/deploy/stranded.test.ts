import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { sweepStranded, sweepUrgent } from "../../../src/pipeline/runs/sweep-stranded.ts";
import { statement } from "../../../src/store/statement.ts";
import { deployWorld } from "./deploy-world.ts";

const world = deployWorld();

it.each([sweepStranded, sweepUrgent])(
  "DEP-1: a deployment that no job is for gets the one that watches it, and no review",
  async (sweep) => {
    await world.request();
    const { store } = world;
    await store.queue.together([statement(sql`delete from jobs`)]);
    await sweep({ store, now: () => new Date().toISOString() });
    const jobs = await store.read.all<{ kind: string; key: string }>(
      "select kind, key from jobs where run_id is not null",
    );
    expect(jobs).toEqual([{ kind: "deploy", key: "deploy:environment:7:2" }]);
  },
);

it("DEP-1: a deployment that a job is for is left to that", async () => {
  await world.request();
  expect(await sweepUrgent({ store: world.store, now: () => new Date().toISOString() })).toBeUndefined();
});
