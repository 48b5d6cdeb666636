import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defined } from "../domain/defined.ts";
import { errorFacts, ForgeError } from "../domain/errors.ts";
import { guardConnections, REQUEST_LIMITS } from "../github/intake/guard-connections.ts";
import { trackConnections } from "../workspace/open-connections.ts";
import { canTryAgain, convertCode, type RegisteredApp } from "./convert-code.ts";
import { createEntry, type Entry } from "./entry.ts";
import { REGISTERED_PATH, SETUP_PATH } from "./manifest.ts";
import { closedPage, failedPage, offerPage, registeredPage, STYLE_PATH } from "./pages.ts";
import { type Known, type Place, readPlace, urlsOf } from "./place.ts";

const STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");
const COOKIE = "forge-set-up";

export interface SetUpOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly known: Known;
  /** Keeps the App, and says in one sentence for people where. Must not throw: what could not be kept is lost. */
  readonly keep: (app: RegisteredApp, place: Place) => Promise<string>;
  /** Milliseconds; the machine's own when left out. */
  readonly now?: () => number;
  /** Milliseconds for GitHub's answer. */
  readonly answerMs?: number;
}

export interface SetUp {
  readonly port: number;
  /** To be opened once, by whoever sets Forge up. */
  readonly link: string;
  /** Resolves when an App was registered and kept, and its page was sent. */
  readonly registered: Promise<void>;
  stop(): Promise<void>;
}

/** Serves the page that registers the App (OPS-5), and nothing else. @throws ForgeError `port_unavailable`. */
export async function serveSetUp(options: SetUpOptions): Promise<SetUp> {
  const entry = createEntry(options.now ?? Date.now);
  const { promise: registered, resolve: finish } = Promise.withResolvers<void>();
  const visit: Visit = { options, entry, finish, ownAddress: "", place: undefined, converting: false, isDone: false };
  const server = createServer(REQUEST_LIMITS, (request, response) => {
    answer(visit, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, failedPage(errorFacts(error).message, undefined));
    });
  });
  guardConnections(server, { limit: 64 });
  const connections = trackConnections(server);
  const port = await listen(server, options.host, options.port);
  const name = options.host.includes(":") ? `[${options.host}]` : options.host;
  visit.ownAddress =
    options.known.address ?? `http://${/^(?:0\.0\.0\.0|\[::\])$/.test(name) ? "127.0.0.1" : name}:${port}`;
  return {
    port,
    registered,
    link: `${visit.ownAddress}${SETUP_PATH}?token=${entry.token}`,
    stop: () => connections.close(2_000),
  };
}

interface Visit {
  readonly options: SetUpOptions;
  readonly entry: Entry;
  readonly finish: () => void;
  ownAddress: string;
  /** What was offered last: where the code that comes back is from. */
  place: Place | undefined;
  converting: boolean;
  isDone: boolean;
}

async function answer(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://forge.invalid");
  const { entry } = visit;
  if (request.method !== "GET") return send(response, 405, closedPage(), { allow: "GET" });
  if (url.pathname === STYLE_PATH) return send(response, 200, STYLE, { "content-type": "text/css; charset=utf-8" });
  if (url.pathname === "/healthz") return send(response, 200, "{}", { "content-type": "application/json" });
  if (url.pathname !== SETUP_PATH && url.pathname !== REGISTERED_PATH)
    return send(response, url.pathname === "/readyz" ? 503 : 404, closedPage());
  const token = url.searchParams.get("token");
  if (url.pathname === SETUP_PATH && token !== null) {
    const opened = entry.open(token);
    if (opened === undefined) return send(response, 403, closedPage());
    const secure = visit.ownAddress.startsWith("https:") ? "; Secure" : "";
    const cookie = `${COOKIE}=${opened}; Path=${SETUP_PATH}; HttpOnly; SameSite=Lax${secure}`;
    return send(response, 303, "", { location: SETUP_PATH, "set-cookie": cookie });
  }
  if (!entry.isVisitor(cookieOf(request)) || visit.isDone) return send(response, 403, closedPage());
  return url.pathname === SETUP_PATH ? offer(visit, url, response) : takeCode(visit, url, response);
}

function offer(visit: Visit, url: URL, response: ServerResponse): void {
  const { options, entry, ownAddress } = visit;
  const { place, problems } = readPlace(url.searchParams, options.known, ownAddress);
  visit.place = place;
  const page = offerPage({ place, problems, known: options.known, state: entry.state, ownAddress });
  send(response, problems.length === 0 ? 200 : 422, page, {}, urlsOf(place).origin);
}

async function takeCode(visit: Visit, url: URL, response: ServerResponse): Promise<void> {
  const { options, entry, place } = visit;
  const code = url.searchParams.get("code") ?? "";
  if (!entry.isState(url.searchParams.get("state")) || place === undefined)
    return send(response, 403, failedPage("This did not come from the page that you opened.", undefined));
  if (code === "") return send(response, 400, failedPage("GitHub sent no code with you.", undefined));
  // Two tabs would change the same code, and the second be told that it is used.
  if (visit.converting)
    return send(response, 409, failedPage("This is being done already.", `${url.pathname}${url.search}`));
  visit.converting = true;
  try {
    const app = await convertCode(code, place, options.answerMs);
    const kept = await options.keep(app, place);
    visit.isDone = true;
    response.once("close", visit.finish);
    send(response, 200, registeredPage(app.slug, app.page, kept), { connection: "close" });
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const again = canTryAgain(error) ? `${url.pathname}${url.search}` : undefined;
    send(response, 502, failedPage(error.message, again));
  } finally {
    visit.converting = false;
  }
}

function cookieOf(request: IncomingMessage): string | undefined {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}

/** `formTarget`: the one other origin that a form may be sent to. */
function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  formTarget?: string,
): void {
  const forms = ["'self'", ...Object.values(defined({ formTarget }))].join(" ");
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'self'; img-src data:; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    ...headers,
  });
  response.end(body);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `Cannot listen on ${host}:${port}: ${cause.message}. Set HOST and PORT to a free address.`;
      const how = { source: "resource", severity: "critical", recoverability: "manual", cause } as const;
      reject(new ForgeError("port_unavailable", message, how));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
