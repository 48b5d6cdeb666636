import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { closeServer } from "../../src/workspace/close-server.ts";

/** The moments at which a connection that the kernel accepted earlier can reach the server. */
const POINTS = ["before closing", "while closing", "after everything open was destroyed", "in the turn after that"];

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function startServer(listener: Parameters<typeof createServer>[1] = () => undefined): Promise<Server> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/**
 * Takes connections off the server before it sees them, as the kernel does with those that it accepts, and hands them over when the test says so.
 */
function heldBack(server: Server): { readonly arrived: Promise<unknown>; deliver(): void } {
  const held: Socket[] = [];
  const emit = server.emit.bind(server);
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  server.emit = (event: string, ...args: unknown[]) => {
    if (event !== "connection") return emit(event, ...args);
    held.push(args[0] as Socket);
    resolve();
    return true;
  };
  return {
    arrived,
    deliver: () => {
      const socket = held.shift();
      if (socket) emit("connection", socket);
    },
  };
}

describe("closing a server", () => {
  it.each(POINTS.map((name, at) => ({ name, at })))("ends with a connection that arrives $name", async ({ at }) => {
    const server = await startServer();
    const late = heldBack(server);
    const client = connect(portOf(server), "127.0.0.1").on("error", () => undefined);
    await late.arrived;
    const left = once(client, "close");
    if (at === 0) late.deliver();
    const { closeAllConnections } = server;
    server.closeAllConnections = () => {
      if (at === 1) late.deliver();
      closeAllConnections.call(server);
      if (at === 2) late.deliver();
    };
    const closed = closeServer(server, { graceMs: 0 });
    if (at === 3) {
      await new Promise((resolve) => setImmediate(resolve));
      late.deliver();
    }
    await Promise.all([closed, left]);
    expect(server.listening).toBe(false);
  });

  it("lets a request in flight finish within the grace, and closes its connection then", async () => {
    const begun = Promise.withResolvers<void>();
    const answerNow = Promise.withResolvers<void>();
    const server = await startServer(async (_request, response) => {
      begun.resolve();
      await answerNow.promise;
      response.writeHead(200, { connection: "close" }).end("done");
    });
    const sent = request({ port: portOf(server), host: "127.0.0.1" }).end();
    await begun.promise;
    const closed = closeServer(server, { graceMs: 300_000 });
    answerNow.resolve();
    const [response] = await once(sent, "response");
    expect([response.statusCode, await Array.fromAsync(response.setEncoding("utf8"))]).toEqual([200, ["done"]]);
    await closed;
  });

  it("destroys a request that never finishes after the grace, and whatever else it is told to cut", async () => {
    const begun = Promise.withResolvers<void>();
    const server = await startServer(() => begun.resolve());
    const sent = request({ port: portOf(server), host: "127.0.0.1" }).end();
    const failed = once(sent, "error");
    await begun.promise;
    const upgraded = new Socket();
    await closeServer(server, { graceMs: 1, cut: () => upgraded.destroy() });
    expect((await failed)[0]).toMatchObject({ code: "ECONNRESET" });
    expect(upgraded.destroyed).toBe(true);
  });

  it("comes to an end where the server does not listen any longer", async () => {
    const server = await startServer();
    await closeServer(server, { graceMs: 0 });
    await closeServer(server, { graceMs: 0 });
    expect(server.listening).toBe(false);
  });
});
