import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "../../simulator/close-server.ts";
import type { Router, Share } from "./router.ts";

/** What HAProxy does for the demo, where it is not installed: each request goes to the version whose turn it is. */
export async function startNodeRouter(environments: readonly string[]): Promise<Router> {
  const agent = new Agent({ keepAlive: true });
  const turns = new Map(environments.map((environment) => [environment, createTurns([])]));
  const servers = new Map<string, Server>();
  const ports = new Map<string, number>();
  for (const environment of environments) {
    const server = createServer({ keepAliveTimeout: 0 }, (asked, response) =>
      pass(asked, response, agent, turns.get(environment)?.()),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.set(environment, server);
    ports.set(environment, (server.address() as AddressInfo).port);
  }
  const close = async () => {
    agent.destroy();
    await Promise.all([...servers.values()].map(closeServer));
  };
  return {
    kind: "node",
    address: (environment) => `http://127.0.0.1:${ports.get(environment)}`,
    route: async (environment, shares) => void turns.set(environment, createTurns(shares)),
    stop: close,
    kill: () => void close(),
  };
}

/**
 * Smooth weighted round robin, as nginx and HAProxy do it: of a hundred requests in a row each gets as many as its percentage says, and they
 * are spread. Undefined where nobody gets any.
 */
function createTurns(shares: readonly Share[]): () => number | undefined {
  const standing = shares.filter(({ percent }) => percent > 0).map((share) => ({ ...share, credit: 0 }));
  const total = standing.reduce((sum, { percent }) => sum + percent, 0);
  return () => {
    for (const each of standing) each.credit += each.percent;
    const next = standing.reduce((best, each) => (each.credit > best.credit ? each : best), standing[0]!);
    if (next) next.credit -= total;
    return next?.port;
  };
}

function pass(asked: IncomingMessage, response: ServerResponse, agent: Agent, port: number | undefined): void {
  const fail = (code: number) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(code).end();
  };
  if (port === undefined) {
    fail(503);
    return;
  }
  const { method, url, headers } = asked;
  const send = () => {
    const onward = request({ host: "127.0.0.1", port, method, path: url, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // A version closes a connection that was idle, in the moment in which it is used again: then nobody has read the request. Customers only read.
    onward.once("error", () => (onward.reusedSocket && method === "GET" && !response.headersSent ? send() : fail(503)));
    if (method === "GET") onward.end();
    else asked.pipe(onward);
  };
  send();
}
