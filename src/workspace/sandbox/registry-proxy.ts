import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type OpenConnections, trackConnections } from "../open-connections.ts";
import { INSTALL_LIMITS } from "./sandbox.ts";

export interface RegistryProxy extends AsyncDisposable {
  /** Refused hosts, as `host:port`, each once. */
  readonly refused: ReadonlySet<string>;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/**
 * A proxy on a unix socket that leads to the allowed hosts only: tunnels (CONNECT) for https, and reading requests for a registry that
 * is configured with http. Names are resolved out here, so nothing inside can ask for an address of its own choice.
 * @param allowedHosts `host` for port 443, or `host:port`
 * @param downloadBytes what all answers together may have; then every connection is cut
 */
export async function startRegistryProxy(
  socketPath: string,
  allowedHosts: readonly string[],
  downloadBytes: number = INSTALL_LIMITS.downloadBytes,
): Promise<RegistryProxy> {
  const allowed = new Set(allowedHosts.map((host) => endpoint(host, HTTPS_PORT)));
  const refused = new Set<string>();
  let bytesLeft = downloadBytes;

  const isAllowed = (target: string | undefined): target is string => {
    if (target !== undefined && allowed.has(target)) return true;
    if (refused.size < INSTALL_LIMITS.refusedHosts) refused.add(target ?? "no host");
    return false;
  };
  const meter = (source: Duplex | IncomingMessage) => {
    source.on("data", (chunk: Buffer) => {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) open.destroyAll();
    });
  };

  const server = createServer((incoming, answer) => {
    const url = URL.parse(incoming.url ?? "");
    const target = url?.protocol === "http:" ? endpoint(url.host, HTTP_PORT) : undefined;
    const reads = incoming.method === "GET" || incoming.method === "HEAD";
    if (url === null || !isAllowed(target) || !reads) return refuse(answer);
    forwardRequest(incoming, answer, url, { meter, open });
  });
  const open = trackConnections(server);
  server.maxConnections = INSTALL_LIMITS.connections;
  server.on("connection", (socket: Socket) => {
    socket.setTimeout(INSTALL_LIMITS.idleMs, () => socket.destroy());
  });
  server.on("connect", (incoming, client, head) => {
    const target = endpoint(incoming.url ?? "", HTTPS_PORT);
    client.on("error", () => client.destroy());
    if (!isAllowed(target))
      return client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    tunnel(client, head, target, { meter, open });
  });
  server.listen(socketPath);
  await once(server, "listening");
  // An installation that is over has nothing to finish.
  const close = () => open.close(0);
  try {
    // The user inside may not be the owner.
    await chmod(socketPath, 0o666);
  } catch (error) {
    await close();
    throw error;
  }
  return { refused, [Symbol.asyncDispose]: close };
}

/** `host:port` in lower case, or undefined for what is no host. */
function endpoint(text: string, defaultPort: number): string | undefined {
  const url = URL.parse(`tcp://${text}`);
  if (url === null || url.hostname === "" || url.username !== "" || url.pathname !== "") return undefined;
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  return `${host}:${url.port === "" ? defaultPort : url.port}`;
}

/** What connections to a registry are held by. */
interface Upstreams {
  readonly meter: (source: Duplex | IncomingMessage) => void;
  readonly open: OpenConnections;
}

function tunnel(client: Duplex, head: Buffer, target: string, { meter, open }: Upstreams): void {
  const { hostname, port } = new URL(`tcp://${target}`);
  const upstream = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
  open.add(upstream);
  upstream.setTimeout(INSTALL_LIMITS.idleMs, () => upstream.destroy());
  upstream.once("connect", () => {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    upstream.write(head);
    meter(upstream);
    upstream.pipe(client);
    client.pipe(upstream);
  });
  upstream.once("error", () => client.destroy());
  upstream.once("close", () => client.destroy());
  client.once("close", () => upstream.destroy());
}

/** Of this connection only, or about a body, which reading requests have not. */
const NOT_HANDED_ON = ["proxy-connection", "connection", "upgrade", "content-length", "transfer-encoding"];

function forwardRequest(incoming: IncomingMessage, answer: ServerResponse, url: URL, { meter, open }: Upstreams): void {
  const headers = Object.entries(incoming.headers).filter(([name]) => !NOT_HANDED_ON.includes(name));
  const upstream = request(url, {
    method: incoming.method ?? "GET",
    headers: { ...Object.fromEntries(headers), host: url.host },
    agent: false,
    timeout: INSTALL_LIMITS.idleMs,
  });
  open.add(upstream);
  upstream.once("response", (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    meter(response);
    response.pipe(answer);
    response.once("error", () => answer.destroy());
  });
  upstream.once("timeout", () => upstream.destroy());
  upstream.once("error", () => answer.destroy());
  answer.once("close", () => upstream.destroy());
  upstream.end();
}

function refuse(answer: ServerResponse): void {
  answer.writeHead(403, { "content-type": "text/plain", connection: "close" });
  answer.end("Only the configured registry can be read from here.\n");
}
