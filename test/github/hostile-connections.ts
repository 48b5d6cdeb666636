import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { WEBHOOK_PATH } from "../../src/github/intake/http-server.ts";
import { headersFor } from "./intake-client.ts";

export interface Held {
  /** The status that came back on each connection, except 100. Undefined if no status came. */
  statuses(): (number | undefined)[];
  /** Each resolves when its connection is closed. */
  readonly closed: readonly Promise<void>[];
  end(): void;
}

/**
 * Opens connections that send these bytes and then stay silent. Resolves when all of them are connected and have sent. If they ask for
 * permission to send more, it resolves when the server has given it.
 */
export async function holdConnections(port: number, count: number, bytes = ""): Promise<Held> {
  const said = new Map<Socket, string>();
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.on("data", (data) => said.set(socket, `${said.get(socket) ?? ""}${data.toString("latin1")}`));
    return socket;
  });
  const closed = sockets.map((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const sent = (socket: Socket) => new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
  if (bytes !== "") await Promise.all(sockets.map(sent));
  if (bytes.includes("100-continue"))
    await Promise.all(sockets.map((socket) => said.has(socket) || once(socket, "data")));
  return {
    closed,
    statuses: () => sockets.map((socket) => statusIn(said.get(socket))),
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function statusIn(said = ""): number | undefined {
  const status = /HTTP\/1\.1 ([2-5]\d\d) /.exec(said)?.[1];
  return status === undefined ? undefined : Number(status);
}

/** The head of a delivery with a signature of something else, and the first bytes of its body. */
export function forgedStart(
  announcedBytes: number,
  bodyBytes: number,
  more: Readonly<Record<string, string>> = {},
): string {
  const headers = Object.entries({
    host: "x",
    ...headersFor(Buffer.from("x")),
    "content-length": announcedBytes,
    ...more,
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `POST ${WEBHOOK_PATH} HTTP/1.1\r\n${head}\r\n${"{".repeat(bodyBytes)}`;
}

/** A JSON object of so many bytes. */
export function objectOf(bytes: number): Buffer {
  return Buffer.from(`{"text":"${"a".repeat(bytes - 11)}"}`);
}
