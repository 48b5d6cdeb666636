import { describe, expect, it, onTestFinished } from "vitest";
import { forgedStart, holdConnections, objectOf } from "./hostile-connections.ts";
import { deliver, openFrontDoor } from "./intake-client.ts";

const MEBI = 1024 * 1024;

describe("500 hostile connections on a server with its usual limits (SEC-9)", () => {
  it.each([
    ["that say nothing", ""],
    ["that never finish their headers", "POST / HTTP/1.1\r\nhost: x\r\nx-"],
    ["that announce 25 MB and send a byte", forgedStart(25 * MEBI, 1)],
    ["that announce 25 MB and send 100 kB, more than there is room for", forgedStart(25 * MEBI, 100_000)],
    ["that announce 25 MB and send 300 kB", forgedStart(25 * MEBI, 300_000)],
  ])("%s leave room for signed deliveries", async (_, start) => {
    const { server, taken } = await openFrontDoor();
    onTestFinished(() => server.stop(0));
    const held = await Promise.all(Array.from({ length: 5 }, () => holdConnections(server.port, 100, start)));
    onTestFinished(() => {
      for (const each of held) each.end();
    });
    const replies = await Promise.all(Array.from({ length: 20 }, () => deliver(server.port, objectOf(200_000))));
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(20).fill(202));
    expect(taken).toHaveLength(20);
  });
});
