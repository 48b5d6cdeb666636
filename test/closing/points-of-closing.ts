// Connections that arrive at each point of a close. The steps are driven: nothing waits for a moment that may or may not come.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";

type Close = () => PromiseLike<unknown>;

/** Closes a server and delivers a connection to it at one point of that. */
type Drive = (server: Server, close: Close, deliver: () => void) => PromiseLike<unknown>;

const POINTS: Readonly<Record<string, Drive>> = {
  "before the close": (_server, close, deliver) => {
    deliver();
    return close();
  },
  "when the server no longer listens and nothing is destroyed yet": (server, close, deliver) => {
    const stopListening = server.close;
    server.close = (done) => {
      server.close = stopListening;
      server.close(done);
      deliver();
      return server;
    };
    return close();
  },
  "when everything else is destroyed": (_server, close, deliver) => {
    const closed = close();
    deliver();
    return closed;
  },
  "at the event of the closed server": (server, close, deliver) => {
    server.prependOnceListener("close", deliver);
    return close();
  },
  "after the close": async (_server, close, deliver) => {
    await close();
    deliver();
  },
};

/** Tests that a close without a grace ends and leaves no connection open, at whatever point one arrives. */
export function leavesNoConnection(start: () => Promise<Close>): void {
  it.each(Object.entries(POINTS))("destroys a connection that arrives %s", async (_point, drive) => {
    const { server, started: close } = await serverOf(start);
    const socket = await anAcceptedConnection();
    await drive(server, close, () => server.emit("connection", socket));
    expect(socket.destroyed).toBe(true);
  });

  it("ends although it begins while the server hears of a connection", async () => {
    const { server, started: close } = await serverOf(start);
    const closed = new Promise((resolve) => server.prependOnceListener("connection", () => resolve(close())));
    const address = server.address() as AddressInfo | string;
    const client = typeof address === "string" ? connect(address) : connect(address.port, address.address);
    await Promise.all([closed, once(client, "close")]);
  });
}

/** Starts something, and finds the server with which it listens. */
export async function serverOf<T>(start: () => Promise<T>): Promise<{ readonly server: Server; readonly started: T }> {
  const servers: Server[] = [];
  const keep = (message: unknown) => void servers.push((message as { readonly server: Server }).server);
  const channel = "tracing:net.server.listen:asyncStart";
  subscribe(channel, keep);
  try {
    const started = await start();
    expect(servers).toHaveLength(1);
    return { server: servers[0]!, started };
  } finally {
    unsubscribe(channel, keep);
  }
}

/** The server's side of a connection, given to no server yet. Its client never leaves by itself. */
export async function anAcceptedConnection(): Promise<Socket> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const client = connect((listener.address() as AddressInfo).port, "127.0.0.1");
  const [socket] = (await once(listener, "connection")) as [Socket];
  listener.close();
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
  });
  return socket;
}
