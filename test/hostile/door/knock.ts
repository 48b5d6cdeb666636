import { createHmac, randomUUID } from "node:crypto";
import { connect } from "node:net";
import type { HostileWorld } from "../program/hostile-world.ts";

export interface Knock {
  readonly body?: string | Buffer;
  readonly event?: string;
  readonly guid?: string;
  /** Instead of the right ones, or beside them; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const PATH = "/api/github/webhooks";

export function sign(secret: string, body: string | Buffer): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Delivers as GitHub does, but for what is said otherwise. Resolves with the status; 0 when the connection was cut. */
export async function knock({ port, webhookSecret }: HostileWorld, knocked: Knock = {}): Promise<number> {
  const { body = "{}", event = "ping", guid = randomUUID(), headers = {} } = knocked;
  const all = {
    "content-type": "application/json",
    "x-github-delivery": guid,
    "x-github-event": event,
    "x-hub-signature-256": sign(webhookSecret, body),
    ...headers,
  };
  const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
  try {
    const url = `http://127.0.0.1:${port}${PATH}`;
    const answer = await fetch(url, { method: "POST", body: new Uint8Array(Buffer.from(body)), headers: given });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Sends bytes as they are; resolves with all that came back when the other side has closed or nothing came for half a second. */
export function sendBytes({ port }: HostileWorld, ...parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    let said = "";
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of parts) socket.write(part);
    });
    const done = () => {
      socket.destroy();
      resolve(said);
    };
    socket.setTimeout(500, done);
    socket.on("data", (bytes) => {
      said += bytes.toString("latin1");
    });
    socket.on("error", done);
    socket.on("close", done);
  });
}

/** Opens connections that start a request and then stay silent. Resolves when all of them are open, with a function that ends them. */
export async function hold({ port }: HostileWorld, count: number, beginning: string): Promise<() => void> {
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  const made = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.once("connect", () => socket.write(beginning));
        socket.once("connect", resolve);
        socket.on("error", () => resolve());
      }),
  );
  await Promise.all(made);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
