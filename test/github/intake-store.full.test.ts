import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acceptDelivery } from "../../src/store/inbox/accept-delivery.ts";
import { readDelivery } from "../../src/store/inbox/read-delivery.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { BODY, deliver, type FrontDoor, openFrontDoor } from "./intake-client.ts";

let folder: string;
let url: string;
let store: Store;
let door: FrontDoor;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "forge-intake-"));
  url = `file:${join(folder, "forge.sqlite")}`;
  store = await openStore({ url });
  door = await openFrontDoor({ accept: (delivery) => acceptDelivery(store, delivery) });
});
afterEach(async () => {
  await door.server.stop(0);
  await closeStore(store);
  await rm(folder, { recursive: true });
});

describe("intake with the real inbox", () => {
  it("SEC-7: a delivery sent three times at once is stored once, with exactly the bytes that were signed", async () => {
    const headers = { "x-github-delivery": randomUUID() };
    const replies = await Promise.all([1, 2, 3].map(() => deliver(door.server.port, BODY, headers)));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(replies.map(({ body }) => (JSON.parse(body) as { status: string }).status).sort()).toEqual([
      "accepted",
      "duplicate",
      "duplicate",
    ]);
    const stored = await readDelivery(store, headers["x-github-delivery"]);
    expect(stored).toMatchObject({ event: "pull_request", state: "received" });
    expect(stored?.body.equals(BODY)).toBe(true);
  });

  it("what was answered 202 is there after the database was opened anew, and what was refused is not", async () => {
    const good = Array.from({ length: 40 }, () => randomUUID());
    const forged = randomUUID();
    await Promise.all(good.map((guid) => deliver(door.server.port, BODY, { "x-github-delivery": guid })));
    await deliver(door.server.port, BODY, {
      "x-github-delivery": forged,
      "x-hub-signature-256": `sha256=${"0".repeat(64)}`,
    });
    await closeStore(store);
    expect((await deliver(door.server.port)).status).toBe(503);
    store = await openStore({ url });
    const found = await Promise.all(good.map((guid) => readDelivery(store, guid)));
    expect(found.filter((delivery) => delivery !== undefined)).toHaveLength(40);
    expect(await readDelivery(store, forged)).toBeUndefined();
  });

  it("SEC-7: large bodies that come one after the other and at once are not mixed up", async () => {
    const bodies = ["a", "b", "c", "d", "e", "f"].map((letter) => Buffer.from(`{"pad":"${letter.repeat(1_500_000)}"}`));
    const guids = bodies.map(() => randomUUID());
    const send = (index: number) => deliver(door.server.port, bodies[index]!, { "x-github-delivery": guids[index]! });
    for (const index of [0, 1]) await send(index);
    await Promise.all([2, 3, 4, 5].map(send));
    for (const [index, guid] of guids.entries()) {
      expect((await readDelivery(store, guid))?.body.equals(bodies[index]!)).toBe(true);
    }
  });
});
