import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface Closing {
  /** Milliseconds for requests in flight; 0 ends all connections at once. */
  readonly graceMs: number;
  /** Ends what is still open after that, where the server does not know all of it itself: tunnels, for example. */
  readonly cut?: () => void;
}

/**
 * Closes an HTTP server, with an end: new connections are refused, requests in flight have the grace to finish, and what is still open then is
 * destroyed. A connection that the kernel accepted before the listening socket closed can arrive at any later moment, also after everything
 * open was destroyed. Without an end of its own it would keep the server open until its client leaves.
 * @returns resolves when the last connection is closed
 */
export async function closeServer(server: Server, { graceMs, cut }: Closing): Promise<void> {
  const refuse = (late: Socket) => void late.destroy();
  server.on("connection", refuse);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const end = () => {
    server.closeAllConnections();
    cut?.();
  };
  if (graceMs === 0) end();
  const timer = graceMs === 0 ? undefined : setTimeout(end, graceMs);
  await closed;
  clearTimeout(timer);
  // It may listen again.
  server.off("connection", refuse);
}
