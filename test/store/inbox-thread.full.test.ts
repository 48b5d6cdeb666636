import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { describe, expect, it } from "vitest";
import { expireDeliveries } from "../../src/store/expire.ts";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { SLOT_BYTES } from "../../src/store/inbox/inbox-protocol.ts";
import { readDelivery, settleDelivery } from "../../src/store/inbox/read-delivery.ts";
import { countJobs } from "../../src/store/jobs/read-jobs.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { temporaryFolder } from "./databases.ts";
import { at } from "./fixtures.ts";

const delivery = (guid: string, body: Buffer) => ({ guid, event: "push", receivedAt: at(0), body });

describe("the thread that fills the inbox of a file", () => {
  const folder = temporaryFolder();
  const fresh = () => `file:${join(folder(), "forge.db")}`;
  const child = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [join(import.meta.dirname, "accepting-child.ts"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  const ask = async (url: string, question: string) => {
    const client = createClient({ url });
    const { rows } = await client.execute(question);
    client.close();
    return rows[0]?.[0];
  };
  const countParts = (url: string) => ask(url, "select count(*) from delivery_parts");

  it("SEC-7: what was accepted is there after kill -9 in the middle of the next", async () => {
    const url = fresh();
    const process = child(url);
    let said = "";
    for await (const chunk of process.stdout!) {
      said += String(chunk);
      if (said.length > 300 * 37) process.kill("SIGKILL");
    }
    const accepted = said.split("\n").filter((line) => line.length === 36);
    expect(accepted.length).toBeGreaterThanOrEqual(300);
    const store = await openStore({ url });
    const found = await Promise.all(accepted.map((guid) => readDelivery(store, guid)));
    expect(found.filter((stored) => stored?.body.length === 9_000)).toHaveLength(accepted.length);
    // Those that were written and not answered any more are whole too.
    expect(await ask(url, "select count(*) from deliveries")).toBe((await countJobs(store)).queued);
    await closeStore(store);
  });

  it("OPS-3: does not keep a process alive that has nothing more to do", async () => {
    const url = fresh();
    const process = child(url, "30");
    process.stdout!.resume();
    expect(await once(process, "exit")).toEqual([0, null]);
    const store = await openStore({ url });
    expect((await countJobs(store)).queued).toBe(30);
    await closeStore(store);
  });

  it("SEC-7: keeps the very bytes of bodies of any size, and only of the first with a GUID", async () => {
    const url = fresh();
    const store = await openStore({ url });
    const sizes = [0, 1, 256 * 1024, 256 * 1024 + 1, SLOT_BYTES, SLOT_BYTES + 1, 3_333_333];
    const bodies = sizes.map((size) => randomBytes(size));
    const accept = () => Promise.all(bodies.map((body, index) => acceptDelivery(store, delivery(`d-${index}`, body))));
    expect(new Set(await accept())).toEqual(new Set(["accepted"]));
    const parts = await countParts(url);
    expect(new Set(await accept())).toEqual(new Set(["duplicate"]));
    const other = randomBytes(2_000_000);
    expect(await acceptDelivery(store, delivery("d-6", other))).toBe("duplicate");
    expect(await countParts(url)).toBe(parts);
    for (const [index, body] of bodies.entries()) {
      expect((await readDelivery(store, `d-${index}`))?.body.equals(body)).toBe(true);
    }
    const twice = await Promise.all([1, 2].map(() => acceptDelivery(store, delivery("twin", other))));
    expect(twice).toEqual(["accepted", "duplicate"]);
    expect((await readDelivery(store, "twin"))?.body.equals(other)).toBe(true);
    await closeStore(store);
  });

  it("SEC-7: bodies of groups that overlap are not mixed up", async () => {
    const store = await openStore({ url: fresh() });
    const bodies = Array.from({ length: 150 }, () => randomBytes(30_000));
    for (let from = 0; from < bodies.length; from += 75) {
      const some = bodies.slice(from, from + 75);
      await Promise.all(some.map((body, index) => acceptDelivery(store, delivery(`d-${from + index}`, body))));
    }
    const found = await Promise.all(bodies.map((_, index) => readDelivery(store, `d-${index}`)));
    expect(found.filter((stored, index) => stored?.body.equals(bodies[index]!))).toHaveLength(150);
    await closeStore(store);
  });

  it("DATA-2: nothing of a large delivery is left when it expires", async () => {
    const url = fresh();
    const store = await openStore({ url });
    await acceptDelivery(store, delivery("d-1", randomBytes(2_000_000)));
    await settleDelivery(store, "d-1", "handled");
    expect(await countParts(url)).toBeGreaterThan(0);
    expect(await expireDeliveries(store, at(5))).toBe(1);
    expect(await countParts(url)).toBe(0);
    await closeStore(store);
  });
});
