import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FollowedMetrics, followMetrics } from "../../src/learning/follow-metrics.ts";
import { secondsWithin } from "../../src/learning/spread.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { statement } from "../../src/store/statement.ts";
import type { Store } from "../../src/store/store.ts";
import { became, deployed, type History, historyOf, merged, reviewed } from "./history.ts";

const NOW = new Date("2026-11-23T12:00:00.000Z");
const WEEK = { now: NOW, days: 7, step: 1 };

let folder: string;
let store: Store;
let metrics: FollowedMetrics;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "forge-follow-"));
  store = await openStore({ url: `file:${join(folder, "forge.db")}` });
  metrics = followMetrics(store);
  histories.clear();
});
afterEach(async () => {
  await closeStore(store);
  rmSync(folder, { recursive: true, force: true });
});

/** The day so many days before now. */
const dayAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000).toISOString().slice(0, 10);

const histories = new Map<number, History>();
const of = (repositoryId: number) => {
  const history = histories.get(repositoryId) ?? historyOf(store, repositoryId, () => NOW);
  histories.set(repositoryId, history);
  return history;
};
const firstPass = async (asked: Partial<Parameters<FollowedMetrics["report"]>[0]> = {}) => {
  const { now, before } = await metrics.report({ ...WEEK, ...asked });
  return [now, before].map(({ counts }) => {
    const { sum, of: all } = counts.of("metric", "first_pass");
    return `${sum} of ${all}`;
  });
};

describe("MET-1: the metrics by day and repository, as the log is followed", () => {
  it("counts an empty log, then what is stored, and what is stored later once", async () => {
    expect(await firstPass()).toEqual(["0 of 0", "0 of 0"]);
    const here = of(1);
    await here.learned(1, [merged(true), merged(false)]);
    expect(await firstPass()).toEqual(["1 of 2", "0 of 0"]);
    await here.learned(0, [merged(true)]);
    await here.learned(7, [merged(true)]);
    expect(await firstPass()).toEqual(["2 of 3", "1 of 1"]);
    expect(await firstPass()).toEqual(["2 of 3", "1 of 1"]);
  });

  it("tells repositories apart, in their runs and in the logs of their subjects", async () => {
    for (const id of [1, 2]) {
      await of(id).ran(1, reviewed(id, { usd: id }));
      await of(id).learned(1, [merged(id === 1)]);
    }
    expect(await firstPass({ repositoryIds: [1] })).toEqual(["1 of 1", "0 of 0"]);
    expect(await firstPass({ repositoryIds: [] })).toEqual(["0 of 0", "0 of 0"]);
    expect(await firstPass()).toEqual(["1 of 2", "0 of 0"]);
    const cost = async (repositoryIds?: number[]) =>
      (await metrics.report({ ...WEEK, repositoryIds })).now.counts.of("metric", "cost_of_run");
    expect([await cost([2]), await cost()]).toEqual([
      { sum: 2, of: 1, other: 0 },
      { sum: 3, of: 2, other: 0 },
    ]);
  });

  it("cuts a period into pieces of days, the first of which may be shorter, and puts each event into its day", async () => {
    await of(1).learned(9, [merged(true)]);
    await of(1).learned(0, [merged(true), merged(true)]);
    const { pieces, now, before } = await metrics.report({ now: NOW, days: 10, step: 7 });
    expect(pieces.map(({ from, to, counts }) => [from, to, counts.of("metric", "first_pass").of])).toEqual([
      ["2026-11-14", "2026-11-16", 1],
      ["2026-11-17", "2026-11-23", 2],
    ]);
    expect([now.from, now.to, before.from, before.to]).toEqual([
      "2026-11-14",
      "2026-11-23",
      "2026-11-04",
      "2026-11-13",
    ]);
  });

  it("counts what carries a later time than now as of today, and forgets what is older than can be asked for", async () => {
    await of(1).learned(-3, [merged(true)]);
    await of(1).learned(180, [merged(true)]);
    expect(await firstPass()).toEqual(["1 of 1", "0 of 0"]);
    expect(await firstPass({ days: 90 })).toEqual(["1 of 1", "0 of 0"]);
  });

  it("names rules by their findings, how runs ended, both arms of memory, and a rollback on its own day", async () => {
    const here = of(1);
    await here.learned(2, [
      became("fixed", "a"),
      became("dismissed", "b"),
      became("ignored", "b"),
      became("fixed", "c", "ai"),
    ]);
    await here.ran(3, reviewed(1, { outcome: "changes_requested", usd: 1, memory: "without" }));
    await here.ran(3, reviewed(1, { usd: 3 }));
    await here.ran(3, deployed(1, "a".repeat(40), "rolled_back"), { kind: "deploy" });
    await here.ran(1, deployed(1, "a".repeat(40), "healthy"), { kind: "deploy" });
    const { now, pieces } = await metrics.report(WEEK);
    expect(now.counts.names("rule")).toEqual([
      { name: "b", sum: 0, of: 2, other: 1 },
      { name: "a", sum: 1, of: 1, other: 0 },
      { name: "c", sum: 1, of: 1, other: 0 },
    ]);
    expect(now.counts.names("outcome").map(({ name, of: runs }) => [name, runs])).toEqual([
      ["approved", 1],
      ["changes_requested", 1],
    ]);
    expect([now.counts.of("with", "cost_of_run").sum, now.counts.of("without", "cost_of_run").sum]).toEqual([3, 1]);
    const back = pieces
      .map(({ counts }) => counts.of("metric", "rollbacks_false"))
      .filter((cell) => cell.of + cell.sum > 0);
    expect(back).toEqual([{ sum: 1, of: 1, other: 0 }]);
  });

  it("tells how times are spread, since a few long ones make the mean large", async () => {
    for (const seconds of [40, 60, 1_000]) await of(1).ran(1, reviewed(1), { seconds });
    const { counts } = (await metrics.report(WEEK)).now;
    expect(counts.of("metric", "seconds_to_check")).toMatchObject({ sum: 1_100, of: 3 });
    expect([0.3, 0.5, 0.9].map((share) => secondsWithin(counts, "seconds_to_check", share))).toEqual([
      2 ** 5.5,
      2 ** 6,
      2 ** 10,
    ]);
    expect(secondsWithin(counts, "seconds_to_answer", 0.5)).toBeUndefined();
  });

  it("counts again from the beginning where the end of the log was deleted, as with an installation", async () => {
    await of(1).learned(1, [merged(true)]);
    await of(2).learned(1, [merged(true), merged(true)]);
    expect(await firstPass()).toEqual(["3 of 3", "0 of 0"]);
    await store.queue.alone([statement(sql`delete from events where trace_id like 'pull_request:2:%'`)]);
    await of(3).learned(1, [merged(false)]);
    expect(await firstPass()).toEqual(["1 of 2", "0 of 0"]);
  });

  it("counts again from the beginning where something in the middle was deleted with its installation", async () => {
    for (const id of [1, 2]) await of(id).ran(1, [...reviewed(id), merged(true)]);
    expect(await firstPass()).toEqual(["2 of 2", "0 of 0"]);
    await store.queue.alone([statement(sql`delete from events where trace_id like 'run-1-%'`)]);
    await store.queue.alone([statement(sql`delete from runs where trace_id like 'run-1-%'`)]);
    expect(await firstPass()).toEqual(["1 of 1", "0 of 0"]);
  });

  it("counts nothing more of what was deleted in the middle of the log, also where nothing was stored since", async () => {
    await of(1).learned(1, [merged(true), merged(true)]);
    await of(2).learned(1, [merged(false)]);
    expect(await firstPass()).toEqual(["2 of 3", "0 of 0"]);
    await store.queue.alone([statement(sql`delete from events where trace_id like 'pull_request:1:%'`)]);
    expect(await firstPass()).toEqual(["0 of 1", "0 of 0"]);
    await of(2).learned(0, [merged(true)]);
    expect(await firstPass()).toEqual(["1 of 2", "0 of 0"]);
  });

  it("counts nothing twice after a database that did not answer in the middle", async () => {
    // More than are read at a time: some of them are counted before it fails.
    await of(1).learned(
      1,
      Array.from({ length: 3_100 }, () => merged(true)),
    );
    await of(1).ran(0, [merged(true)]);
    await store.queue.alone([
      statement(sql`update events set payload = 'broken' where version = 1 and trace_id like 'run-%'`),
    ]);
    await expect(firstPass()).rejects.toThrow();
    await store.queue.alone([statement(sql`delete from events where payload = 'broken'`)]);
    expect(await firstPass()).toEqual(["3100 of 3100", "0 of 0"]);
  });

  it("counts each event once for several reports at the same time", async () => {
    await of(1).learned(1, [merged(true)]);
    metrics.prepare(NOW);
    const asked = await Promise.all([
      firstPass(),
      firstPass({ repositoryIds: [1] }),
      firstPass({ repositoryIds: [2] }),
    ]);
    expect(asked.map(([now]) => now)).toEqual(["1 of 1", "1 of 1", "0 of 0"]);
  });

  it("counts what was stored while another report was being read", async () => {
    await of(1).learned(
      1,
      Array.from({ length: 3_100 }, () => merged(true)),
    );
    const earlier = firstPass();
    await setImmediate();
    await of(1).learned(1, [merged(true)]);
    expect(await firstPass()).toEqual(["3101 of 3101", "0 of 0"]);
    await earlier;
  });

  it("says since when it counts, where a period begins earlier than what it keeps", async () => {
    const small = followMetrics(store, 20);
    for (const day of [6, 5, 4, 3, 2, 1, 0])
      await of(1).learned(
        day,
        Array.from({ length: 5 }, (_, index) => became("fixed", `${day}-${index}`)),
      );
    const { since, now } = await small.report(WEEK);
    expect(since).toBeDefined();
    expect(now.counts.names("rule").every(({ name }) => dayAgo(Number(name[0])) >= since!)).toBe(true);
    expect((await metrics.report(WEEK)).since).toBeUndefined();
  });

  it("keeps a bounded number of names of a day, and counts the others together", async () => {
    const rules = Array.from({ length: 600 }, (_, index) => became("fixed", `made/up-${index}`));
    await of(1).learned(1, rules);
    const names = (await metrics.report(WEEK)).now.counts.names("rule");
    expect(names.length).toBeLessThanOrEqual(501);
    expect(names[0]).toMatchObject({ name: "others" });
    expect(names.reduce((sum, { of: all }) => sum + all, 0)).toBe(600);
  });
});
