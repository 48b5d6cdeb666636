import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpServerOptions } from "../../src/github/intake/http-server.ts";
import { forgedStart, holdConnections, objectOf } from "./hostile-connections.ts";
import { deliver, openFrontDoor } from "./intake-client.ts";

const LARGEST = 25 * 1024 * 1024;
const DELIVERY = objectOf(200_000);
const KB = 1024;

async function open(options: Partial<HttpServerOptions> = {}) {
  const door = await openFrontDoor(options);
  onTestFinished(() => door.server.stop(0));
  const { port } = door.server;
  const hold = async (count: number, bytes = "") => {
    const held = await holdConnections(port, count, bytes);
    onTestFinished(held.end);
    return held;
  };
  const reasons = () => door.lines.map(({ fields }) => fields.reason);
  return { ...door, port, hold, reasons };
}

describe("memory for those who know the secret (SEC-9)", () => {
  it("is not taken by announcements: 70 of 25 MB with one byte each", async () => {
    const { port, hold, taken, reasons } = await open();
    const { statuses } = await hold(70, forgedStart(LARGEST, 1));
    expect((await deliver(port, DELIVERY)).status).toBe(202);
    expect((await deliver(port, objectOf(5_000_000))).status).toBe(202);
    expect([taken.length, new Set(statuses()), reasons()]).toEqual([2, new Set([undefined]), []]);
  });

  it("is taken back from unfinished bodies, which get an answer, and the log says so once", async () => {
    const { port, hold, reasons } = await open({
      memory: { firstOfBody: 256 * KB, firstRoom: 300 * KB, restRoom: 100 * KB },
    });
    const { closed, statuses } = await hold(40, forgedStart(LARGEST, 20 * KB));
    expect((await deliver(port, DELIVERY)).status).toBe(202);
    await closed[0];
    expect(statuses()[0]).toBe(503);
    expect(reasons()).toEqual(["memory_full"]);
  });

  it("is given to large deliveries one after the other, without losing one", async () => {
    const { port, taken, reasons } = await open({
      memory: { firstOfBody: 64 * KB, firstRoom: 1024 * KB, restRoom: 128 * KB },
    });
    const replies = await Promise.all([1, 2, 3, 4].map(() => deliver(port, objectOf(3_000_000))));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(taken.map(({ body }) => body.length)).toEqual([3_000_000, 3_000_000, 3_000_000, 3_000_000]);
    expect(reasons()).toEqual([]);
  });
});

describe("connections for those who know the secret (SEC-9)", () => {
  const limits = { maxConnections: 20 };

  it("are taken from idle ones, the oldest first", async () => {
    const { port, hold, reasons } = await open({ limits });
    const { closed, statuses } = await hold(20);
    expect((await deliver(port, DELIVERY)).status).toBe(202);
    await closed[0];
    expect([new Set(statuses()), reasons()]).toEqual([new Set([undefined]), ["connections_full"]]);
  });

  it("are taken from unfinished bodies, and the oldest gets an answer", async () => {
    const { port, hold } = await open({ limits });
    const { closed, statuses } = await hold(20, forgedStart(LARGEST, 1, { expect: "100-continue" }));
    expect((await deliver(port, DELIVERY)).status).toBe(202);
    await Promise.race(closed);
    expect(statuses().filter((status) => status !== undefined)).toEqual([503]);
  });

  it("are taken from unfinished headers, which get an answer", async () => {
    const { port, hold } = await open({ limits });
    const { closed, statuses } = await hold(20, "POST / HTTP/1.1\r\nhost: x\r\nx-");
    // The server may see the first of the new connections before the bytes of the held ones; it has read them before the second.
    expect((await deliver(port, DELIVERY)).status).toBe(202);
    await hold(1);
    await closed[1];
    expect(statuses()[1]).toBe(503);
  });

  it("are never taken from a delivery that is being stored: then the new one is refused", async () => {
    const arrived = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<"accepted">();
    const { port, hold } = await open({
      limits: { maxConnections: 1 },
      accept: () => {
        arrived.resolve();
        return stored.promise;
      },
    });
    const reply = deliver(port, DELIVERY);
    await arrived.promise;
    const { closed, statuses } = await hold(1);
    await closed[0];
    expect(statuses()).toEqual([503]);
    stored.resolve("accepted");
    expect((await reply).status).toBe(202);
  });
});
