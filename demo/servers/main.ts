// The company's servers as a process of their own, which ends with the demo, however that ends.
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Deploying, startServers } from "./servers.ts";
import type { ServersStart } from "./start-servers.ts";

const given = JSON.parse(process.argv[2] ?? "{}") as ServersStart;

const control = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
  const answer = (code: number, body: object) =>
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    if (request.url === "/deploy") await servers.deploy((await json(request)) as Deploying);
    if (request.url === "/errors") process.send?.({ error: await json(request) });
    const environment = request.url?.split("/counts/")[1];
    answer(200, environment === undefined ? {} : Object.fromEntries(servers.counts(environment)));
  } catch (error) {
    answer(500, { error: (error as Error).message });
  }
});
control.listen(0, "127.0.0.1");
await once(control, "listening");
const address = `http://127.0.0.1:${(control.address() as AddressInfo).port}`;
const servers = await startServers({ ...given, errorsUrl: `${address}/errors` });

/** Nobody is left who would end it. */
process.on("disconnect", () => {
  servers.kill();
  rmSync(given.folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit();
});
process.on("SIGTERM", async () => {
  await servers.stop();
  process.exit();
});
const environments = Object.keys(given.load).map((name) => [name, servers.address(name)]);
process.send?.({
  ready: {
    control: address,
    router: servers.router,
    metrics: servers.metrics,
    metricsAddress: servers.metricsAddress,
    addresses: Object.fromEntries(environments),
  },
});
