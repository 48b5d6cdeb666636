import { createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import type { Result } from "../report.ts";
import { type Child, startChild } from "./child.ts";
import { largePayload } from "./payload.ts";
import { WEBHOOK_PATH } from "./rates.ts";

const CONNECTIONS = 500;
const DELIVERIES = 40;
/** Ten megabytes a second, if each sends 100 kB. */
const RETURNS_PER_SECOND = 100;
const BODY = largePayload(200_000);

/** What each hostile connection sends before it falls silent. */
const ATTACKS = {
  "that say nothing": "",
  "that announce 25 MB and send a byte": headOf(25 * 1024 * 1024, "sha256=".padEnd(71, "0"), "{"),
  "that announce 25 MB and send 100 kB": headOf(25 * 1024 * 1024, "sha256=".padEnd(71, "0"), "{".repeat(100_000)),
};

/**
 * The slowest of 40 signed deliveries of 200 kB, each on a new connection, among 500 hostile connections, of which 100 a second come back
 * when the server ends them. The baseline is the same delivery to the same server without them.
 */
export async function deliverAmongHostile(secret: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, start] of Object.entries(ATTACKS)) {
    const server = await startChild("forge-server.ts", secret);
    await slowest(server, secret);
    const baseline = await slowest(server, secret);
    const hostile = await attack(server.port, start);
    const among = await slowest(server, secret);
    const ended = hostile.ended();
    hostile.end();
    await server.end();
    results.push({
      name: `slowest delivery of 200 kB among ${CONNECTIONS} connections ${name} (${ended} ended)`,
      value: among.ms,
      unit: "ms",
      baseline: baseline.ms,
      goal: "all accepted, under 1 s",
      met: among.accepted === DELIVERIES && among.ms < 1_000,
    });
  }
  return results;
}

async function slowest({ port }: Child, secret: string): Promise<{ readonly ms: number; readonly accepted: number }> {
  let [ms, accepted] = [0, 0];
  for (let at = 0; at < DELIVERIES; at += 1) {
    const before = performance.now();
    if ((await deliver(port, secret)) === 202) accepted += 1;
    ms = Math.max(ms, performance.now() - before);
  }
  return { ms, accepted };
}

/** Resolves with the status; 0 if the connection was cut. */
function deliver(port: number, secret: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "content-length": BODY.length,
    "x-github-event": "push",
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(BODY).digest("hex")}`,
  };
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, path: WEBHOOK_PATH, method: "POST", headers, agent: false });
    sent.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(BODY);
  });
}

async function attack(port: number, start: string) {
  const sockets = new Set<Socket>();
  let ended = 0;
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(start, () => resolve()));
      sockets.add(socket);
      socket.on("error", () => {});
      socket.resume().once("close", () => {
        sockets.delete(socket);
        resolve();
        ended += 1;
      });
    });
  const comingBack = setInterval(() => {
    if (sockets.size < CONNECTIONS) void open();
  }, 1000 / RETURNS_PER_SECOND);
  await Promise.all(Array.from({ length: CONNECTIONS }, open));
  return {
    ended: () => ended,
    end: () => {
      clearInterval(comingBack);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function headOf(bytes: number, signature: string, body: string): string {
  const lines = [
    `POST ${WEBHOOK_PATH} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    "X-GitHub-Event: push",
    `X-GitHub-Delivery: ${randomUUID()}`,
    `X-Hub-Signature-256: ${signature}`,
    `Content-Length: ${bytes}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}
