import { EventEmitter, once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { closeServer } from "../../simulator/close-server.ts";
import { startSimulator } from "../../simulator/start-simulator.ts";
import { startMetricsServer } from "../../src/app/serve-metrics.ts";
import { trackConnections } from "../../src/workspace/open-connections.ts";
import { startRegistryProxy } from "../../src/workspace/sandbox/registry-proxy.ts";
import { openFrontDoor } from "../github/intake-client.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";
import { anAcceptedConnection, leavesNoConnection, serverOf } from "./points-of-closing.ts";

async function trackedServer() {
  const server = createServer();
  const open = trackConnections(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, open };
}

describe("the connections of a server", () => {
  leavesNoConnection(async () => {
    const { open } = await trackedServer();
    return () => open.close(0);
  });

  it("closes a server that never listened", async () => {
    await trackConnections(createServer()).close(0);
  });

  it("destroys what was added, at once after the close, and forgets what closed by itself", async () => {
    const { open } = await trackedServer();
    const stream = () => Object.assign(new EventEmitter(), { destroy: vi.fn() });
    const [early, gone, late] = [stream(), stream(), stream()];
    open.add(early);
    open.add(gone);
    gone.emit("close");
    await open.close(0);
    open.add(late);
    expect([early, gone, late].map(({ destroy }) => destroy.mock.calls.length > 0)).toEqual([true, false, true]);
  });

  describe("with a grace", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());

    it("keeps what is open until the grace is over, and destroys what arrives meanwhile at once", async () => {
      const { server, open } = await trackedServer();
      const [early, late] = [await anAcceptedConnection(), await anAcceptedConnection()];
      const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
      const cut = once(client, "close");
      await once(server, "connection");
      server.emit("connection", early);
      const closed = open.close(1_000);
      server.emit("connection", late);
      expect([early.destroyed, late.destroyed]).toEqual([false, true]);
      vi.advanceTimersByTime(999);
      expect(early.destroyed).toBe(false);
      vi.advanceTimersByTime(1);
      expect(early.destroyed).toBe(true);
      await Promise.all([closed, cut]);
      expect(vi.getTimerCount()).toBe(0);
    });

    it("ends before the grace when nothing is open, and a second close joins the first", async () => {
      const { open } = await trackedServer();
      const closed = open.close(1_000);
      expect(open.close(0)).toBe(closed);
      await closed;
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});

describe("the intake server", () => {
  leavesNoConnection(async () => {
    const { server } = await openFrontDoor();
    return () => server.stop(0);
  });

  it("cuts a connection that it hears of while it stops with a grace", async () => {
    const { server, started: door } = await serverOf(() => openFrontDoor());
    const [busy, late] = [await anAcceptedConnection(), await anAcceptedConnection()];
    server.emit("connection", busy);
    const stopped = door.server.stop(60_000);
    server.emit("connection", late);
    expect([busy.destroyed, late.destroyed]).toEqual([false, true]);
    await stopped;
  });
});

describe("the metrics server", () => {
  leavesNoConnection(async () => {
    const route = async () => false;
    const { stop } = await startMetricsServer({ host: "127.0.0.1", port: 0 }, route, () => undefined);
    return stop;
  });
});

describe("the registry proxy", () => {
  leavesNoConnection(async () => {
    const proxy = await startRegistryProxy(join(temporaryFolder(), "proxy"), []);
    return () => proxy[Symbol.asyncDispose]();
  });

  it("ends both sides of a tunnel", async () => {
    const upstream = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void upstream.close());
    await once(upstream, "listening");
    const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const socketPath = join(temporaryFolder(), "proxy");
    const proxy = await startRegistryProxy(socketPath, [host]);
    const client = connect(socketPath);
    client.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [[far], [head]] = await Promise.all([once(upstream, "connection"), once(client, "data")]);
    expect(String(head)).toContain("200");
    const ended = Promise.all([once(client, "close"), once((far as Socket).resume(), "close")]);
    await proxy[Symbol.asyncDispose]();
    await ended;
  });

  it.runIf(process.platform === "linux")(
    "does not listen when its socket cannot be opened to the user inside",
    async () => {
      // The kernel listens at this name, and it is no file whose mode can be changed.
      const starting = () => startRegistryProxy(`\0forge-closing-${process.pid}`, []).catch((error: Error) => error);
      const { server, started } = await serverOf(starting);
      expect([started instanceof Error, server.listening]).toEqual([true, false]);
    },
  );
});

describe("the servers of the simulator, the demo and the tests", () => {
  leavesNoConnection(async () => {
    const server = createHttpServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return () => closeServer(server);
  });

  it("closes one that is closed", async () => {
    const server = createHttpServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    await closeServer(server);
    await closeServer(server);
  });

  it("serves again after a server listens again", async () => {
    const server = createHttpServer((_, response) => response.end("here"));
    for (const _turn of ["first", "second"]) {
      await once(server.listen(0, "127.0.0.1"), "listening");
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect(await answer.text()).toBe("here");
      await closeServer(server);
    }
  });
});

describe("the simulator", () => {
  leavesNoConnection(async () => {
    const simulator = await startSimulator({ referee: false });
    return () => simulator.stop();
  });

  it("ends although a client sends only a part of its push", async () => {
    const simulator = await startSimulator({ referee: false });
    simulator.createAccount("ana");
    await simulator.createRepository("ana", "shop", { files: { "README.md": "# Shop\n" } });
    const authorization = `Basic ${Buffer.from(`ana:${simulator.createUserToken("ana")}`).toString("base64")}`;
    const { host, hostname, port } = new URL(simulator.origin);
    const client = connect(Number(port), hostname);
    const head = ["POST /ana/shop.git/git-receive-pack HTTP/1.1", `Host: ${host}`, `Authorization: ${authorization}`];
    client.write(`${[...head, "Content-Length: 100", "Expect: 100-continue"].join("\r\n")}\r\n\r\n`);
    // The simulator has the push in hand when it asks for the body.
    expect(String((await once(client, "data"))[0])).toContain("100 Continue");
    const cut = once(client, "close");
    await Promise.all([simulator.stop(), cut]);
    expect(simulator.requests).toMatchObject([{ operation: "git:push", by: "user" }]);
  });
});
