import type { IncomingMessage, ServerResponse } from "node:http";
import { html } from "hono/html";
import { parse } from "hono/utils/cookie";
import type { Route } from "../github/intake/http-server.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import { headersFor, STYLE } from "./page-files.ts";
import { layout, type Markup, notice } from "./pages/layout.ts";
import { processBody } from "./pages/process-page.ts";
import { LOCAL } from "./words.ts";

const COOKIE = "forge-local";

/** Who may look: the one who opens the link first. */
export interface LocalEntry {
  /** The visit that a token opens, once; undefined for a wrong, an old or a used one. */
  open(token: string): string | undefined;
  isVisitor(visit: string | undefined): boolean;
}

/**
 * The page of the process for the person at this machine, where nobody can sign in with GitHub (OPS-2). It only shows: there is no form on it.
 * To everybody who comes from elsewhere, by another name, or through a proxy, it is not there.
 */
export function localPageRoute(
  dependencies: Pick<DashboardDependencies, "store" | "process" | "now">,
  entry: LocalEntry,
): Route {
  return async (request, response) => {
    const url = new URL(request.url ?? "/", "http://forge.invalid");
    if (!isFromHere(request) || request.method !== "GET") return false;
    if (url.pathname === STYLE.path) {
      send(response, 200, STYLE.text, { "content-type": `${STYLE.type}; charset=utf-8` });
      return true;
    }
    if (url.pathname !== "/") return false;
    const token = url.searchParams.get("token");
    const opened = token === null ? undefined : entry.open(token);
    if (opened !== undefined) {
      const cookie = `${COOKIE}=${opened}; Path=/; HttpOnly; SameSite=Strict`;
      send(response, 303, "", { location: "/", "set-cookie": cookie });
      return true;
    }
    if (!entry.isVisitor(parse(request.headers.cookie ?? "", COOKIE)[COOKIE])) {
      send(response, 403, await page(LOCAL.closed.title, notice(LOCAL.closed.title, LOCAL.closed.what)));
      return true;
    }
    const signIn = html`<p class="said">${LOCAL.signIn}</p>`;
    const body = html`${await processBody(dependencies, dependencies.now())}${signIn}`;
    send(response, 200, await page(LOCAL.title, body));
    return true;
  };
}

async function page(title: string, body: Markup): Promise<string> {
  return String(await layout({ title, style: STYLE.path, script: "", body }));
}

/** By the connection and by the name that was asked for: a page of others can have its own name lead to this machine. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const { remoteAddress = "" } = socket;
  const isNear = remoteAddress === "::1" || /^(?:::ffff:)?127\./.test(remoteAddress);
  const isNamed = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(headers.host ?? "");
  const isPassedOn = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"].some(
    (name) => headers[name] !== undefined,
  );
  return isNear && isNamed && !isPassedOn;
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headersFor("http://localhost"),
    "cache-control": "no-store",
    "content-type": "text/html; charset=utf-8",
    ...headers,
  });
  response.end(body);
}
