import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { readDelivery } from "../../src/store/inbox/read-delivery.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { temporaryFolder } from "./databases.ts";
import { at, decision, happened } from "./fixtures.ts";

const delivery = (guid: string, bytes: number) => ({
  guid,
  event: "push",
  receivedAt: at(0),
  // Noise, which no packing makes smaller.
  body: randomBytes(bytes),
});

/** Fills the inbox until it is refused; returns how many were accepted. */
async function fill(store: Store): Promise<{ accepted: number; error: unknown }> {
  for (let accepted = 0; ; accepted += 1) {
    try {
      await acceptDelivery(store, delivery(`fill-${accepted}`, 100_000));
    } catch (error) {
      return { accepted, error };
    }
  }
}

async function expectNothingHalf(store: Store, accepted: number): Promise<void> {
  expect(await readDelivery(store, `fill-${accepted}`)).toBeUndefined();
  expect(await readDelivery(store, `fill-${accepted - 1}`)).toBeDefined();
  expect((await countJobs(store)).queued).toBe(accepted);
}

describe("a full disk", () => {
  const folder = temporaryFolder();

  it("is said as storage_full, nothing is half written, and work goes on when there is space", async () => {
    const store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
    const limit = (pages: number) => store.queue.alone([{ sql: `PRAGMA max_page_count = ${pages}`, args: [] }]);
    await limit(100);
    const large = decision({
      appends: [{ traceId: "run-1", expectedVersion: 0, events: [happened("x".repeat(400_000))] }],
    });
    await expect(commitDecision(store, large)).rejects.toMatchObject({ code: "storage_full", recoverability: "auto" });
    expect(await readEvents(store, "run-1")).toEqual([]);
    await limit(1_000_000);
    await commitDecision(store, large);
    await closeStore(store);
  });

  it("SEC-7: the same for deliveries, on a real disk of 4 MB that something else fills", async ({
    skip,
    onTestFinished,
  }) => {
    const disk = folder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]);
    if (mounted.status !== 0) skip("mounting a small disk needs root");
    onTestFinished(() => {
      // Lazily: the client lets go of its files only when its statements are collected.
      spawnSync("umount", ["--lazy", disk]);
    });
    const ballast = join(disk, "ballast");
    const store = await openStore({ url: `file:${join(disk, "forge.db")}` });
    writeFileSync(ballast, Buffer.alloc(2_000_000));
    const { accepted, error } = await fill(store);
    expect(error).toMatchObject({ code: "storage_full" });
    await expectNothingHalf(store, accepted);
    rmSync(ballast);
    expect(await acceptDelivery(store, delivery(`fill-${accepted}`, 100_000))).toBe("accepted");
    await commitDecision(store, decision());
    expect(await readEvents(store, "run-1")).toHaveLength(1);
    await closeStore(store);
  });
});
