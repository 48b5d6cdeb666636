import { createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import type { Delivery } from "../../src/github/intake/delivery.ts";
import {
  type HttpServer,
  type HttpServerOptions,
  startHttpServer,
  WEBHOOK_PATH,
} from "../../src/github/intake/http-server.ts";

export const SECRET = "a secret of the tests";
export const BODY = Buffer.from(JSON.stringify({ action: "opened", number: 7, title: "größer" }));

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface FrontDoor {
  readonly server: HttpServer;
  /** What was handed over for storage, in order; GUIDs that came before are answered `duplicate` and not in it. */
  readonly taken: Delivery[];
  readonly lines: LogLine[];
}

/** A real server on a free port, whose storage is a list. */
export async function openFrontDoor(options: Partial<HttpServerOptions> = {}): Promise<FrontDoor> {
  const taken: Delivery[] = [];
  const lines: LogLine[] = [];
  const level = (name: string) => (fields: LogLine["fields"], message: string) => {
    lines.push({ level: name, fields, message });
  };
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    secrets: [SECRET],
    accept: async (delivery) => {
      if (taken.some(({ guid }) => guid === delivery.guid)) return "duplicate";
      taken.push(delivery);
      return "accepted";
    },
    ready: () => true,
    log: { info: level("info"), warn: level("warn"), error: level("error") },
    // Sender and server share a process: on a busy machine the pace would be that of the machine.
    monotonicMs: () => 0,
    ...options,
  });
  return { server, taken, lines };
}

export function sign(body: Buffer, secret = SECRET, algorithm = "sha256"): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
}

/** The headers of GitHub for this body; `undefined` leaves one out. */
export function headersFor(
  body: Buffer,
  changed: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const headers = {
    "content-type": "application/json",
    "x-github-delivery": randomUUID(),
    "x-github-event": "pull_request",
    "x-hub-signature-256": sign(body),
    "x-github-hook-installation-target-id": "4711",
    ...changed,
  };
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

/** Sends a delivery as GitHub does. */
export async function deliver(
  port: number,
  body: Buffer = BODY,
  changed: Readonly<Record<string, string | undefined>> = {},
): Promise<Reply> {
  return ask(port, WEBHOOK_PATH, { method: "POST", headers: headersFor(body, changed), body: new Uint8Array(body) });
}

export async function ask(port: number, path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

/** Sends a delivery in chunks, without a content length. */
export function deliverInChunks(port: number, chunks: readonly Buffer[]): Promise<number> {
  const headers = headersFor(Buffer.concat(chunks));
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: WEBHOOK_PATH, method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}
