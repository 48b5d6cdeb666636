import type { Server } from "node:net";

/** A connection, or a stream that must not outlive the server, such as the far side of a tunnel. */
interface Stream {
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

export interface OpenConnections {
  /** Adds a stream that the server did not accept itself. It is destroyed with the connections, at once when they are gone already. */
  add(stream: Stream): void;
  /** Destroys everything that is open now. The server goes on. */
  destroyAll(): void;
  /**
   * Closes the server. A connection that arrives from now on is destroyed at once, and what is still open is destroyed after `graceMs`
   * milliseconds; 0 destroys it before this returns. Resolves when the server is closed. Later calls join the first and its grace.
   */
  close(graceMs: number): Promise<void>;
}

/**
 * Knows every connection of a server until it closes. Call this before the server listens.
 *
 * `closeAllConnections()` is not enough for a close that must end: it knows no tunnels and no upgraded connections, and a connection that
 * arrives after it keeps the server open for as long as the client likes.
 */
export function trackConnections(server: Server): OpenConnections {
  const open = new Set<Stream>();
  let closing: Promise<void> | undefined;
  let isOver = false;

  const add = (stream: Stream) => {
    if (isOver) return void stream.destroy();
    open.add(stream);
    stream.once("close", () => open.delete(stream));
  };
  const destroyAll = () => {
    for (const stream of open) stream.destroy();
  };
  const endAll = () => {
    isOver = true;
    destroyAll();
  };
  let isRefusing = false;
  server.on("connection", (socket) => {
    if (isRefusing) socket.destroy();
    else add(socket);
  });

  const begin = (graceMs: number) =>
    new Promise<void>((resolve) => {
      isRefusing = true;
      const timer = graceMs > 0 ? setTimeout(endAll, graceMs) : undefined;
      // The callback gets an error when the server does not listen: then it is closed too.
      server.close(() => {
        clearTimeout(timer);
        endAll();
        resolve();
      });
      if (timer === undefined) endAll();
    });
  return { add, destroyAll, close: (graceMs) => (closing ??= begin(graceMs)) };
}
