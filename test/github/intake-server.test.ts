import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startHttpServer, WEBHOOK_PATH } from "../../src/github/intake/http-server.ts";
import { ask, BODY, deliver, type FrontDoor, headersFor, openFrontDoor, SECRET } from "./intake-client.ts";

let door: FrontDoor;
let ready = true;
beforeEach(async () => {
  ready = true;
  door = await openFrontDoor({ ready: () => ready });
});
afterEach(() => door.server.stop(0));

it("CLI-3: the address alone says what this is and where to go", async () => {
  const home = await ask(door.server.port, "/?from=a-browser");
  expect(home.status).toBe(200);
  expect(home.body).toMatch(/^Forge reviews pull requests .*\/api\/github\/webhooks.*\/healthz.*FORGE_URL/s);
  expect((await ask(door.server.port, "/", { method: "POST" })).status).toBe(404);
  expect((await ask(door.server.port, "/elsewhere")).status).toBe(404);
});

describe("OPS-2: health and readiness", () => {
  it("/healthz is 200 as long as the process answers", async () => {
    ready = false;
    expect((await ask(door.server.port, "/healthz")).status).toBe(200);
  });

  it("/readyz is 503 until Forge takes work", async () => {
    ready = false;
    expect((await ask(door.server.port, "/readyz")).status).toBe(503);
    ready = true;
    expect((await ask(door.server.port, "/readyz?from=probe")).status).toBe(200);
  });

  it("both are read only", async () => {
    expect((await ask(door.server.port, "/healthz", { method: "POST" })).status).toBe(405);
    expect((await ask(door.server.port, "/readyz", { method: "HEAD" })).status).toBe(200);
  });
});

describe("other routes", () => {
  it("are asked in order for what is not intake's own, and a broken one does not show its error", async () => {
    await door.server.stop(0);
    door = await openFrontDoor({
      routes: [
        async () => false,
        async ({ url }, response) => {
          if (url === "/broken") throw new Error("a secret detail");
          if (url !== "/page") return false;
          response.end("a page");
          return true;
        },
      ],
    });
    expect((await ask(door.server.port, "/page")).body).toBe("a page");
    expect((await ask(door.server.port, "/nothing")).status).toBe(404);
    const broken = await ask(door.server.port, "/broken");
    expect(broken.status).toBe(500);
    expect(broken.body).not.toContain("secret");
    expect(door.lines).toMatchObject([{ level: "error", fields: { error: { message: "a secret detail" } } }]);
  });
});

describe("OPS-3: stopping", () => {
  it("lets a delivery in flight finish, closes its connection, and takes no more", async () => {
    let store = (): void => {};
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await door.server.stop(0);
    door = await openFrontDoor({
      accept: () => {
        arrived();
        return new Promise((resolve) => {
          store = () => resolve("accepted");
        });
      },
    });
    const reply = deliver(door.server.port);
    await arrival;
    const stopped = door.server.stop(10_000);
    store();
    expect((await reply).status).toBe(202);
    expect((await reply).headers.get("connection")).toBe("close");
    await stopped;
    await expect(deliver(door.server.port)).rejects.toThrow();
  });

  it("does not wait for connections that are only kept alive", async () => {
    const agent = new Agent({ keepAlive: true });
    const sent = request({ port: door.server.port, path: "/healthz", agent }).end();
    const [response] = await once(sent, "response");
    response.resume();
    await once(response, "end");
    await door.server.stop(60_000);
    agent.destroy();
  });

  it("cuts off what is not done after the grace time", async () => {
    await door.server.stop(0);
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    door = await openFrontDoor({
      accept: () => {
        arrived();
        return new Promise(() => {});
      },
    });
    const reply = deliver(door.server.port);
    const failed = expect(reply).rejects.toThrow();
    await arrival;
    await door.server.stop(10);
    await failed;
  });
});

describe("senders that misbehave", () => {
  it("who never finish their headers or their body are cut off", async () => {
    await door.server.stop(0);
    const limits = { headersTimeout: 40, requestTimeout: 60, connectionsCheckingInterval: 10 };
    door = await openFrontDoor({ limits });
    const body = Object.entries(headersFor(BODY)).map(([name, value]) => `${name}: ${value}\r\n`);
    for (const start of [
      "POST / HTTP/1.1\r\nHost: x\r\nX-",
      `POST ${WEBHOOK_PATH} HTTP/1.1\r\nHost: x\r\n${body.join("")}Content-Length: ${BODY.length}\r\n\r\n{`,
    ]) {
      const socket = connect(door.server.port, "127.0.0.1");
      socket.write(start);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
      socket.destroy();
    }
    expect(door.taken).toEqual([]);
  });

  it("who hang up in the middle of a body leave nothing behind", async () => {
    const headers = { ...headersFor(BODY), "content-length": "1000" };
    const sent = request({ port: door.server.port, path: WEBHOOK_PATH, method: "POST", headers });
    sent.on("error", () => {});
    sent.write("{");
    await once(sent, "socket");
    sent.destroy();
    expect((await deliver(door.server.port)).status).toBe(202);
    expect(door.taken).toHaveLength(1);
    expect(door.lines).toEqual([]);
  });

  it("who hang up in the middle of a large body give its place to the next", async () => {
    const body = Buffer.from(`{"text":"${"a".repeat(20_000_000)}"}`);
    const headers = { ...headersFor(body), "content-length": String(body.length) };
    const sent = request({ port: door.server.port, path: WEBHOOK_PATH, method: "POST", headers });
    sent.on("error", () => {});
    await new Promise((resolve) => sent.write(body.subarray(0, 1_000_000), resolve));
    const next = deliver(door.server.port, body);
    sent.destroy();
    expect((await next).status).toBe(202);
    expect(door.taken).toHaveLength(1);
  });

  it("who wait for leave to send a large body are refused before they send it", async () => {
    const headers = { ...headersFor(BODY), "content-length": "26000001", expect: "100-continue" };
    const limit = await openFrontDoor({ bodyLimitBytes: 26_000_000 });
    const sent = request({ port: limit.server.port, path: WEBHOOK_PATH, method: "POST", headers });
    let leave = false;
    sent.on("continue", () => {
      leave = true;
    });
    sent.on("error", () => {});
    sent.flushHeaders();
    const [response] = await once(sent, "response");
    expect([response.statusCode, leave]).toEqual([413, false]);
    sent.destroy();
    await limit.server.stop(0);
  });

  it("who wait for leave and may send are given it", async () => {
    const headers = { ...headersFor(BODY), "content-length": String(BODY.length), expect: "100-continue" };
    const sent = request({ port: door.server.port, path: WEBHOOK_PATH, method: "POST", headers });
    sent.on("continue", () => sent.end(BODY));
    sent.flushHeaders();
    const [response] = await once(sent, "response");
    response.resume();
    expect(response.statusCode).toBe(202);
  });
});

describe("what is logged of refused deliveries", () => {
  it("is one line a minute for each reason, with a count and nothing that the sender wrote", async () => {
    let at = Date.parse("2026-11-20T12:00:00Z");
    await door.server.stop(0);
    door = await openFrontDoor({ now: () => new Date(at) });
    const forged = Buffer.from('{"planted":"remember me"}');
    const forge = () =>
      deliver(door.server.port, forged, {
        "x-hub-signature-256": `sha256=${"1".repeat(64)}`,
        "x-github-event": "planted",
      });
    for (let i = 0; i < 5; i += 1) await forge();
    await deliver(door.server.port, forged, { "x-hub-signature-256": undefined });
    at += 61_000;
    await forge();
    await forge();
    await door.server.stop(0);
    expect(door.lines.map(({ fields }) => [fields.reason, fields.count])).toEqual([
      ["signature_wrong", 1],
      ["signature_missing", 1],
      ["signature_wrong", 5],
      ["signature_wrong", 1],
    ]);
    expect(JSON.stringify(door.lines)).not.toMatch(/planted|remember me/);
  });
});

describe("a port that is taken", () => {
  it("is said in one sentence", async () => {
    const { port } = door.server;
    await expect(openFrontDoor({ port })).rejects.toMatchObject({ code: "port_unavailable" });
    await expect(
      startHttpServer({
        host: "127.0.0.1",
        port,
        secrets: [SECRET],
        accept: async () => "accepted",
        ready: () => true,
        log: { info() {}, warn() {}, error() {} },
      }),
    ).rejects.toThrow(/Set HOST and PORT/);
  });
});
