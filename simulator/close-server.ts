import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes an HTTP server and destroys everything that is open. A connection that arrives late is destroyed too: it would keep the server
 * open for as long as its client likes. A server may be closed twice, and
 * serves again after it listens again.
 */
export function closeServer(server: Server): Promise<void> {
  const refuse = (socket: Socket) => void socket.destroy();
  server.on("connection", refuse);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  // A connection whose event is being emitted at this moment reaches neither the listener above nor the list of the server yet.
  const last = setImmediate(() => server.closeAllConnections());
  server.once("listening", () => {
    server.off("connection", refuse);
    clearImmediate(last);
  });
  return closed;
}
