import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { listDeliveries } from "../../src/store/inbox/list-deliveries.ts";
import { settleDelivery } from "../../src/store/inbox/read-delivery.ts";
import { takeUpDelivery } from "../../src/store/inbox/take-up-delivery.ts";
import { statement } from "../../src/store/statement.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { at } from "./fixtures.ts";

const jobsIn = (store: Store) =>
  store.read.all(sql`select kind, key, state, failures, run_at as at from jobs order by kind, key`);

describe("OPS-2: a delivery that was given up", () => {
  onEveryDatabase((open) => {
    const deliver = async (store: Store, guid: string, event: string, second: number) => {
      await acceptDelivery(store, { guid, event, receivedAt: at(second), body: Buffer.from("{}") });
    };
    const giveUp = async (store: Store, guid: string) => {
      await settleDelivery(store, guid, "failed", "It broke.");
      const bury = sql`update jobs set state = 'dead', failures = 4 where payload like ${`%${guid}%`}`;
      await store.queue.alone([statement(bury)]);
    };

    it.each([
      ["d-1", "issues", "delivery", "delivery:d-1"],
      ["feedback:0a", "feedback.shop", "feedback", "feedback.shop"],
    ])("is put into the queue once more, and once: %s", async (guid, event, kind, key) => {
      const store = await open();
      const heard: (readonly string[])[] = [];
      await deliver(store, guid, event, 1);
      await deliver(store, "other", "push", 2);
      expect(await takeUpDelivery(store, guid, at(9))).toBe(false);
      await giveUp(store, guid);
      await giveUp(store, "other");
      store.jobListeners.add((keys) => void heard.push(keys));
      expect(await takeUpDelivery(store, guid, at(9))).toBe(true);
      expect(await takeUpDelivery(store, guid, at(9))).toBe(false);
      expect(await takeUpDelivery(store, "unknown", at(9))).toBe(false);
      expect(heard).toEqual([[key]]);
      const other = { kind: "delivery", key: "delivery:other", state: "dead", failures: 4, at: at(2) };
      const again = { kind, key, state: "queued", failures: 0, at: at(9) };
      expect(await jobsIn(store)).toEqual(kind === "delivery" ? [again, other] : [other, again]);
      const listed = await listDeliveries(store, { latest: 1, failed: 1, guids: [guid] });
      expect(listed.map((each) => [each.guid, each.state, each.reason])).toEqual([
        ["other", "failed", "It broke."],
        [guid, "received", null],
      ]);
    });

    it("is listed however many came later", async () => {
      const store = await open();
      await deliver(store, "old", "issues", 1);
      await giveUp(store, "old");
      for (const second of [2, 3, 4]) await deliver(store, `d-${second}`, "push", second);
      const guids = async (failed: number) =>
        (await listDeliveries(store, { latest: 2, failed, guids: [] })).map(({ guid }) => guid);
      expect(await guids(1)).toEqual(["d-4", "d-3", "old"]);
      expect(await guids(0)).toEqual(["d-4", "d-3"]);
    });
  });
});
