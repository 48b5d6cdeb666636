import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defined } from "../../domain/defined.ts";
import { errorFacts, ForgeError } from "../../domain/errors.ts";
import { trackConnections } from "../../workspace/open-connections.ts";
import { ALIVE, BROKEN, HOME, type HttpAnswer, NOT_FOUND, NOT_READY, READ_ONLY, REFUSALS } from "./answers.ts";
import { type BodyRoom, createBodyRoom } from "./body-room.ts";
import type { AcceptDelivery } from "./delivery.ts";
import { guardConnections, REQUEST_LIMITS, sendAway } from "./guard-connections.ts";
import { createJsonCheck } from "./json-object.ts";
import { type Reception, receiveDelivery } from "./receive-delivery.ts";
import { createRefusalLog, type IntakeLog } from "./refusal-log.ts";
import type { MemoryLimits } from "./share-memory.ts";
import { clientOf, NO_PROXIES, type TrustedProxies } from "./trusted-proxies.ts";
import { createSignatureVerifier } from "./verify-signature.ts";

export const WEBHOOK_PATH = "/api/github/webhooks";

/** GitHub caps payloads at "25 MB"; read as MiB, since a payload refused for its size would be lost for good. */
export const BODY_LIMIT_BYTES = 25 * 1024 * 1024;

/**
 * Limits against senders that hold connections open. GitHub gives up on a delivery after 10 s, so nothing is lost with a longer
 * request; idle connections are kept longer than the 60 s of the usual proxies, which otherwise reuse one as it closes.
 */
export const LIMITS = {
  ...REQUEST_LIMITS,
  keepAliveTimeout: 65_000,
  maxConnections: 512,
};

/** A refused body that is announced to be larger than this is cut off. */
const READ_AWAY_BYTES = 64 * 1024 * 1024;

/** Serves a path that is not intake's own; false when it is not its either. Large bodies are read in `bodies`. */
export type Route = (request: IncomingMessage, response: ServerResponse, bodies: BodyRoom) => Promise<boolean>;

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly webhookPath?: string;
  /** One webhook secret, or two while the old one is being replaced. */
  readonly secrets: readonly string[];
  readonly accept: AcceptDelivery;
  readonly ready: () => boolean;
  readonly log: IntakeLog;
  readonly bodyLimitBytes?: number;
  /** The memory for bodies of all doors together. */
  readonly memory?: MemoryLimits;
  /** Milliseconds, bytes and connections, named as Node names them. */
  readonly limits?: Partial<typeof LIMITS>;
  readonly routes?: readonly Route[];
  /** Only what these proxies say about the address of a client counts. */
  readonly trustedProxies?: TrustedProxies;
  readonly now?: () => Date;
  /** Milliseconds on a clock that never goes back: the pace of bodies is measured on it. */
  readonly monotonicMs?: () => number;
}

export interface HttpServer {
  readonly port: number;
  /** Refuses new connections, lets requests in flight finish, and ends those that are not done after `graceMs` milliseconds. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Forge's front door: webhook deliveries at `webhookPath`, `/healthz` (the process lives), `/readyz` (it takes work), and `routes`.
 * Throws `webhook_secret_missing` without a usable secret and `port_unavailable` when it cannot listen.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const {
    log,
    webhookPath = WEBHOOK_PATH,
    bodyLimitBytes = BODY_LIMIT_BYTES,
    routes = [],
    trustedProxies = NO_PROXIES,
    now = () => new Date(),
  } = options;
  const refusals = createRefusalLog(log, () => now().getTime());
  const client = (request: IncomingMessage) => clientOf(request, trustedProxies);
  const bodies = createBodyRoom({
    clientOf: client,
    ...defined({ limits: options.memory, monotonicMs: options.monotonicMs }),
    sendAway: (response, reason) => {
      refusals.note(reason);
      sendAway(response, REFUSALS[reason]);
    },
  });
  const reception: Reception = {
    verify: createSignatureVerifier(options.secrets),
    isJsonObject: createJsonCheck(),
    accept: options.accept,
    bodies,
    refusals,
    bodyLimitBytes,
    now,
  };
  let stopping = false;

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<HttpAnswer | undefined> {
    const path = pathOf(request);
    if (path === webhookPath) return receiveDelivery(reception, request, response);
    if (path === "/healthz" || path === "/readyz") {
      if (request.method !== "GET" && request.method !== "HEAD") return READ_ONLY;
      return path === "/healthz" || (options.ready() && !stopping) ? ALIVE : NOT_READY;
    }
    for (const route of routes) if (await route(request, response, bodies)) return undefined;
    return path === "/" && (request.method === "GET" || request.method === "HEAD") ? HOME : NOT_FOUND;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await answerTo(request, response);
      if (answer !== undefined && !response.headersSent) send(request, response, answer, stopping);
    } catch (thrown) {
      log.error({ error: errorFacts(thrown) }, "a request failed");
      if (response.headersSent) response.destroy();
      else send(request, response, BROKEN, true);
    }
  }

  const { maxConnections, ...limits } = { ...LIMITS, ...options.limits };
  const server = createServer(limits, handle);
  // A sender that asks first is told the refusal before it sends anything; `receiveDelivery` says when to go on.
  server.on("checkContinue", handle);
  guardConnections(server, {
    limit: maxConnections,
    isKept: (request) => bodies.holds(request),
    clientOf: client,
    onLeave: () => refusals.note("connections_full"),
  });
  const open = trackConnections(server);
  const port = await listen(server, options.host, options.port);
  return {
    port,
    stop: async (graceMs) => {
      stopping = true;
      await open.close(graceMs);
      refusals.flush();
    },
  };
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? "";
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

function send(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer, last: boolean): void {
  const close = last || isTooMuchToReadAway(request);
  response.writeHead(answer.status, close ? { ...answer.headers, connection: "close" } : answer.headers);
  response.end(request.method === "HEAD" ? undefined : answer.body);
}

/**
 * A refused body is read and thrown away, up to a size: closing in the middle makes the sender see a broken connection
 * in place of the answer.
 */
function isTooMuchToReadAway(request: IncomingMessage): boolean {
  return !request.complete && Number(request.headers["content-length"] ?? 0) > READ_AWAY_BYTES;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new ForgeError(
          "port_unavailable",
          `Cannot listen on ${host}:${port}: ${cause.message}. Set HOST and PORT to a free address.`,
          {
            source: "resource",
            severity: "critical",
            recoverability: "manual",
            cause,
          },
        ),
      ),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
