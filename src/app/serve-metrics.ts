import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ForgeError } from "../domain/errors.ts";
import { guardConnections, REQUEST_LIMITS } from "../github/intake/guard-connections.ts";
import type { Meters } from "../learning/meters.ts";
import { trackConnections } from "../workspace/open-connections.ts";

const PATH = "/metrics";
/** Scrapes are small and quick. */
const LIMITS = { ...REQUEST_LIMITS, requestTimeout: 10_000, maxHeaderSize: 8 * 1024 };
const CONNECTIONS = 64;

type MetricsRoute = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * `/metrics`, for holders of the token, or for everybody where there is none: then it stands on a port of its own, which is the operator's to
 * shield.
 */
export function metricsRoute(meters: Meters, token: string | undefined): MetricsRoute {
  return async (request, response) => {
    if (pathOf(request) !== PATH) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      answer(request, response, 405, { allow: "GET, HEAD" });
    } else if (token !== undefined && !hasToken(request, token)) {
      answer(request, response, 401, { "www-authenticate": "Bearer" });
    } else {
      answer(request, response, 200, { "content-type": meters.contentType }, await meters.text());
    }
    return true;
  };
}

/**
 * Serves nothing but the metrics. Port 0: any free one.
 * @throws ForgeError `port_unavailable`
 */
export async function startMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  route: MetricsRoute,
  onFailure: (error: unknown) => void,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server = createServer(LIMITS, (request, response) => {
    route(request, response)
      .then((isServed) => isServed || answer(request, response, 404))
      .catch((error: unknown) => {
        onFailure(error);
        answer(request, response, 500);
      });
  });
  guardConnections(server, { limit: CONNECTIONS });
  const open = trackConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `Cannot listen on ${host}:${port} for metrics: ${cause.message}. Set FORGE_METRICS_PORT to a free one.`;
      const facts = { source: "resource", severity: "critical", recoverability: "manual", cause } as const;
      reject(new ForgeError("port_unavailable", message, facts));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    // A scrape that is cut off is made again.
    stop: () => open.close(0),
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): void {
  response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Compared as digests, so that the time taken tells nothing, not even the length. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ""), digest(`Bearer ${token}`));
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? url;
}
