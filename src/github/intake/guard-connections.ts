import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type HttpAnswer, REFUSALS } from "./answers.ts";
import { type ConnectionFacts, whoLeaves } from "./who-leaves.ts";

/** Milliseconds and bytes as Node names them, for every server of ours: a client has five seconds for complete headers. */
export const REQUEST_LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
};

export interface GuardOptions {
  readonly limit: number;
  /** Whether Forge holds the whole body of a delivery. */
  readonly isKept?: (request: IncomingMessage) => boolean;
  readonly clientOf?: (request: IncomingMessage) => unknown;
  /** A connection gave way. */
  readonly onLeave?: () => void;
}

interface Connection {
  readonly socket: Socket;
  sinceMs: number;
  /** How many bytes had come when the latest answer was done. */
  readBefore: number;
  current: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
}

/**
 * Keeps at most `limit` connections. A new one takes the place of one that does less (`whoLeaves`); it is refused only if every other
 * connection brings a delivery that is complete. Call this before the server listens. It takes the place of `maxConnections`, which
 * refuses the new connection, so that idle ones keep everybody out.
 */
export function guardConnections(
  server: Server,
  { limit, isKept = () => false, clientOf = ({ socket }) => socket, onLeave }: GuardOptions,
): void {
  const open = new Map<Socket, Connection>();
  function factsOf(connection: Connection): ConnectionFacts & { readonly connection: Connection } {
    const { current, socket, sinceMs } = connection;
    const client = current === undefined ? socket : clientOf(current.request);
    return { connection, client, sinceMs, phase: phaseOf(current, isKept) };
  }

  server.on("connection", (socket: Socket) => {
    if (open.size >= limit) {
      onLeave?.();
      const leaving = whoLeaves(open.values().map(factsOf));
      if (leaving === undefined) return endRaw(socket);
      open.delete(leaving.connection.socket);
      endConnection(leaving.connection, leaving.phase);
    }
    open.set(socket, { socket, sinceMs: performance.now(), readBefore: 0, current: undefined });
    socket.once("close", () => open.delete(socket));
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.current = { request, response };
    connection.sinceMs = performance.now();
    response.once("close", () => {
      if (connection.current?.response !== response) return;
      connection.current = undefined;
      connection.sinceMs = performance.now();
      connection.readBefore = connection.socket.bytesRead;
    });
  };
  server.prependListener("request", onRequest);
  server.prependListener("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // Where nobody else listens, Node would answer by itself, and no longer does.
    if (server.listenerCount("checkContinue") > 1) return onRequest(request, response);
    response.writeContinue();
    server.emit("request", request, response);
  });
}

/** Sends an answer to a client that has to give way, and ends its connection even if the client does not read. */
export function sendAway(response: ServerResponse, answer: HttpAnswer): void {
  const { socket } = response;
  if (!response.headersSent) {
    response.writeHead(answer.status, { ...answer.headers, connection: "close" });
    response.end(answer.body);
  }
  setImmediate(() => socket?.destroy());
}

function phaseOf(
  current: Connection["current"],
  isKept: (request: IncomingMessage) => boolean,
): ConnectionFacts["phase"] {
  if (current === undefined) return "waiting";
  const { request, response } = current;
  if (response.writableEnded) return "waiting";
  if (!request.complete) return "reading";
  return isKept(request) ? "kept" : "answering";
}

function endConnection({ socket, current, readBefore }: Connection, phase: ConnectionFacts["phase"]): void {
  if (phase === "reading" && current !== undefined) sendAway(current.response, REFUSALS.connections_full);
  else if (current === undefined && socket.bytesRead > readBefore) endRaw(socket);
  else socket.destroy();
}

/** Answers a client that has sent no complete request. */
function endRaw(socket: Socket): void {
  const { status, headers, body } = REFUSALS.connections_full;
  const lines = Object.entries({ ...headers, connection: "close" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Service Unavailable\r\n${lines.join("")}\r\n${body}`);
  setImmediate(() => socket.destroy());
}
