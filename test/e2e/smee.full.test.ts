import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { CLEAN, openPull } from "./pulls.ts";
import { createWorld } from "./world.ts";

/** A channel as smee.io has them: what is posted to it goes out as an event, headers beside the body that was parsed on the way. */
async function openChannel() {
  const listeners = new Set<ServerResponse>();
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("event: ready\ndata: {}\n\n");
      listeners.add(response);
      return;
    }
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"));
    const data = JSON.stringify({ ...request.headers, body, query: {}, timestamp: Date.now() });
    for (const listener of listeners) listener.write(`id: 1\ndata: ${data}\n\n`);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/channel`;
  const close = () => {
    for (const listener of listeners) listener.end();
    server.close();
  };
  return { url, close, listeners };
}

it("OPS-4: webhooks come through a smee channel, with their signatures, to a Forge that GitHub cannot reach", async () => {
  const channel = await openChannel();
  const world = await createWorld({ environment: { WEBHOOK_PROXY_URL: channel.url } });
  expect(channel.listeners.size).toBe(1);
  world.app.webhookUrl = channel.url;
  await openPull(world, { "src/total.ts": CLEAN }, { branch: "topic" });
  await expect
    .poll(() => world.github.pullRequest("acme/shop", 1).checkRuns)
    .toMatchObject([{ name: "forge/review", status: "completed", conclusion: "success" }]);
  await world.settled();
  await world.expectGoodManners();
  await world.end();
  channel.close();
});
