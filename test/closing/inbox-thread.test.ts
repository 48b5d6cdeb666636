import { once } from "node:events";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { beforeEach, describe, expect, it } from "vitest";
import { acceptDelivery, acceptInThread } from "../../src/store/inbox/accept-delivery.ts";
import { SLOT_BYTES } from "../../src/store/inbox/inbox-protocol.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { NewDelivery, Store } from "../../src/store/store.ts";
import { temporaryFolder } from "../store/databases.ts";
import { at } from "../store/fixtures.ts";

const delivery = (guid: string, size = 10): NewDelivery => ({
  ...{ guid, event: "push", receivedAt: at(0) },
  body: Buffer.alloc(size),
});

/** The thread that starts with the next delivery. */
async function nextThread(): Promise<Worker> {
  const [worker] = (await once(process, "worker")) as [Worker];
  return worker;
}

describe("the thread that fills the inbox", () => {
  const folder = temporaryFolder();
  let store: Store;
  beforeEach(async () => {
    store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
  });

  it("is closed once, however often and whenever the store is closed", async () => {
    await acceptDelivery(store, delivery("d-1"));
    await Promise.all([closeStore(store), closeStore(store)]);
    await closeStore(store);
  });

  it("is closed after it has ended, and while it ends", async () => {
    const inbox = acceptInThread(store.url, store.queue);
    const starting = nextThread();
    expect(await inbox.accept([delivery("d-1")])).toEqual(["accepted"]);
    const thread = await starting;
    const closes = [inbox.close()];
    const terminated = thread.terminate();
    closes.push(inbox.close());
    await terminated;
    closes.push(inbox.close());
    await Promise.all(closes);
    await closeStore(store);
  });

  it("rejects what it was asked when it ends, small and large, and starts again with the next delivery", async () => {
    for (const size of [10, 3 * SLOT_BYTES]) {
      const starting = nextThread();
      const accepting = acceptDelivery(store, delivery(`lost-${size}`, size));
      const refused = expect(accepting).rejects.toThrow("The thread that fills the inbox ended.");
      await (await starting).terminate();
      await refused;
    }
    expect(await acceptDelivery(store, delivery("d-1"))).toBe("accepted");
    await closeStore(store);
  });
});
