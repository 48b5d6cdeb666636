import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backup } from "../../src/store/backup.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { readDelivery } from "../../src/store/inbox/read-delivery.ts";
import { claimJob } from "../../src/store/jobs/claim-job.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { closeStore, openStore, openStoreReadOnly } from "../../src/store/open-store.ts";
import { temporaryFolder } from "./databases.ts";
import { at, decision } from "./fixtures.ts";

const delivery = { guid: "d-1", event: "push", receivedAt: at(0), body: Buffer.from("{}") };

describe("a database file", () => {
  const folder = temporaryFolder();
  const fresh = () => `file:${join(folder(), "forge.db")}`;

  it("OPS-1: belongs to one process: a second one is told whose it is, and may read", async () => {
    const url = fresh();
    const first = await openStore({ url, processName: "forge start" });
    await acceptDelivery(first, delivery);
    const refused = await openStore({ url }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "database_in_use", context: { pid: process.pid } });
    expect(String(refused)).toContain(`forge start (pid ${process.pid}`);
    const reader = await openStoreReadOnly(url);
    expect(await readDelivery(reader, "d-1")).toMatchObject({ state: "received" });
    await expect(acceptDelivery(reader, delivery)).rejects.toMatchObject({ code: "store_read_only" });
    await expect(commitDecision(reader, decision())).rejects.toMatchObject({ code: "store_read_only" });
    await closeStore(reader);
    await closeStore(first);
    await closeStore(await openStore({ url }));
  });

  it("PIPE-7: is taken over at once when its process was killed, with the jobs that it had", async () => {
    const url = fresh();
    const child = spawn(process.execPath, [join(import.meta.dirname, "owner-child.ts"), url], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    await expect(openStore({ url })).rejects.toMatchObject({ code: "database_in_use", context: { pid: child.pid } });
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = await openStore({ url });
    const job = await claimJob(store, { workerId: "heir", now: new Date().toISOString(), leaseMs: 1000 });
    expect(job).toMatchObject({ key: "delivery:d-1", token: 2, lostLeases: 1 });
    await closeStore(store);
  });

  it("OPS-3: closing writes what still waits, and nothing is taken afterwards", async () => {
    const url = fresh();
    const store = await openStore({ url });
    const waiting = Array.from({ length: 200 }, (_, index) =>
      acceptDelivery(store, { ...delivery, guid: `d-${index}` }),
    );
    const decided = commitDecision(store, decision());
    await decided;
    await closeStore(store);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["accepted"]));
    await expect(acceptDelivery(store, { ...delivery, guid: "late" })).rejects.toMatchObject({ code: "store_closed" });
    const again = await openStore({ url });
    expect((await countJobs(again)).queued).toBe(200);
    expect(await readEvents(again, "run-1")).toHaveLength(1);
    await closeStore(again);
  });

  it("DATA-1: is copied whole by a backup while it is in use", async () => {
    const url = fresh();
    const copy = join(folder(), "copy.db");
    const store = await openStore({ url });
    await acceptDelivery(store, delivery);
    await backup(store, copy);
    await acceptDelivery(store, { ...delivery, guid: "d-2" });
    const restored = await openStore({ url: `file:${copy}` });
    expect(await readDelivery(restored, "d-1")).toBeDefined();
    expect(await readDelivery(restored, "d-2")).toBeUndefined();
    await closeStore(restored);
    await closeStore(store);
  });

  it("DATA-1: durable means durable: what was accepted is there when the files are copied without a goodbye", async () => {
    const url = fresh();
    const path = url.slice("file:".length);
    const other = join(folder(), "forge.db");
    const store = await openStore({ url });
    await acceptDelivery(store, delivery);
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, other + suffix);
    await closeStore(store);
    const survivor = await openStore({ url: `file:${other}` });
    expect(await readDelivery(survivor, "d-1")).toBeDefined();
    await closeStore(survivor);
  });
});
