import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { startRegistryProxy } from "../../src/workspace/sandbox/registry-proxy.ts";
import { temporaryFolder } from "./sandbox-machine.ts";

async function startUpstream() {
  const asked: string[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.headers.host}${incoming.url}`);
    answer.setHeader("content-type", "text/plain");
    answer.end("from the registry");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { asked, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function ask(socketPath: string, method: string, path: string): Promise<string> {
  const sent = request({ socketPath, method, path }).end();
  const [response] = await once(sent, "response");
  return `${response.statusCode} ${await text(response)}`.trim();
}

/** The first line of the answer to a CONNECT, and what comes through the tunnel when there is one. */
async function tunnel(socketPath: string, target: string): Promise<string> {
  const socket = connect(socketPath);
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [head] = await once(socket, "data");
  const [line = ""] = String(head).split("\r\n");
  if (!line.includes("200")) return line;
  socket.write("GET /inside HTTP/1.1\r\nHost: registry\r\nConnection: close\r\n\r\n");
  return `${line} ${(await text(socket)).split("\r\n").at(-1)}`;
}

describe("the registry proxy", () => {
  it("SEC-1: tunnels to allowed hosts only, compared with their ports and whatever the letters' case", async () => {
    const upstream = await startUpstream();
    const socketPath = join(temporaryFolder(), "proxy");
    await using proxy = await startRegistryProxy(socketPath, [upstream.host, "Registry.Example"]);
    expect(await tunnel(socketPath, upstream.host)).toBe("HTTP/1.1 200 Connection Established from the registry");
    const targets = [
      "127.0.0.1:1",
      "registry.example:80",
      "registry.example.evil.example:443",
      "evil.example",
      "a@b:443",
      "/",
    ];
    for (const target of targets) {
      expect([target, await tunnel(socketPath, target)]).toEqual([target, "HTTP/1.1 403 Forbidden"]);
    }
    expect([...proxy.refused]).toEqual([
      "127.0.0.1:1",
      "registry.example:80",
      "registry.example.evil.example:443",
      "evil.example:443",
      "no host",
    ]);
    upstream.close();
  });

  it("SEC-1: hands on reading requests to a registry without encryption, and no others", async () => {
    const upstream = await startUpstream();
    const socketPath = join(temporaryFolder(), "proxy");
    await using _proxy = await startRegistryProxy(socketPath, [upstream.host]);
    const refusal = "403 Only the configured registry can be read from here.";
    expect(await ask(socketPath, "GET", `http://${upstream.host}/a?b=c`)).toBe("200 from the registry");
    expect(await ask(socketPath, "PUT", `http://${upstream.host}/a`)).toBe(refusal);
    expect(await ask(socketPath, "GET", "http://127.0.0.1:1/a")).toBe(refusal);
    expect(await ask(socketPath, "GET", `ftp://${upstream.host}/a`)).toBe(refusal);
    expect(await ask(socketPath, "GET", "/a")).toBe(refusal);
    expect(upstream.asked).toEqual([`GET ${upstream.host}/a?b=c`]);
    upstream.close();
  });

  it("ends everything when more comes than one installation may fetch", async () => {
    const upstream = await startUpstream();
    const socketPath = join(temporaryFolder(), "proxy");
    await using _proxy = await startRegistryProxy(socketPath, [upstream.host], 10);
    await expect(ask(socketPath, "GET", `http://${upstream.host}/a`)).rejects.toThrow();
    upstream.close();
  });

  it("ends what is still open when it is closed", async () => {
    const socketPath = join(temporaryFolder(), "proxy");
    const proxy = await startRegistryProxy(socketPath, []);
    const idle = connect(socketPath);
    await once(idle, "connect");
    const ended = once(idle, "close");
    await proxy[Symbol.asyncDispose]();
    await ended;
    const late = connect(socketPath);
    const [error] = await once(late, "error");
    expect(error.code).toBe("ENOENT");
  });
});
