import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeMiddleware, Probot } from "probot";

/**
 * The baseline: Probot as people run it inside their own server, with one handler that does nothing and its log silent (its own `Server`
 * and any log line make it slower). Says its port to the parent.
 */
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "pkcs1", format: "pem" },
});
const probot = new Probot({ appId: 1, privateKey, secret: process.env.BENCH_SECRET, logLevel: "fatal" });
const middleware = await createNodeMiddleware((app) => app.on("pull_request", () => {}), {
  probot,
  webhooksPath: "/api/github/webhooks",
});
const server = createServer((request, response) => {
  void middleware(request, response);
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
