import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parse } from "hono/utils/cookie";
import { ForgeError } from "../domain/errors.ts";
import type { AppUse } from "../github/permissions.ts";
import { canTryAgain, convertCode, type RegisteredApp } from "./convert-code.ts";
import type { Entry } from "./entry.ts";
import { MODEL_PATH, REGISTERED_PATH, SETUP_PATH } from "./manifest.ts";
import { readModelChoice } from "./model-choice.ts";
import { modelPage } from "./model-page.ts";
import type { Offers } from "./offers.ts";
import { closedPage, failedPage, offerPage, readyPage, STYLE_PATH } from "./pages.ts";
import { readPlace, urlsOf } from "./place.ts";
import type { SetUpOptions } from "./ports.ts";
import { readForm, send } from "./send-page.ts";

const STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");
const COOKIE = "forge-set-up";

/** How far the one visit has come. */
export type Step =
  | { readonly is: "offer" }
  | { readonly is: "model"; readonly app: RegisteredApp; readonly said: readonly string[] }
  | { readonly is: "done" };

/** The one visit by which Forge is set up. */
export interface Visit {
  readonly options: SetUpOptions;
  readonly entry: Entry;
  readonly offers: Offers;
  readonly onRegistered: () => void;
  readonly finish: () => void;
  ownAddress: string;
  /** Something is being done that must not be done twice. */
  isBusy: boolean;
  /** The time to choose a model is over. */
  isLate: boolean;
  step: Step;
}

/** Answers every request; only the one visitor sees anything of the set-up. */
export async function answer(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://forge.invalid");
  const { entry } = visit;
  const isModel = url.pathname === MODEL_PATH;
  if (request.method !== (isModel ? "POST" : "GET"))
    return send(response, 405, closedPage(), { allow: isModel ? "POST" : "GET" });
  if (url.pathname === STYLE_PATH) return send(response, 200, STYLE, { "content-type": "text/css; charset=utf-8" });
  if (url.pathname === "/healthz") return send(response, 200, "{}", { "content-type": "application/json" });
  if (!isModel && url.pathname !== SETUP_PATH && url.pathname !== REGISTERED_PATH)
    return send(response, url.pathname === "/readyz" ? 503 : 404, closedPage());
  const token = url.searchParams.get("token");
  if (url.pathname === SETUP_PATH && token !== null) {
    const opened = entry.open(token);
    if (opened === undefined) return send(response, 403, closedPage());
    const secure = visit.ownAddress.startsWith("https:") ? "; Secure" : "";
    const cookie = `${COOKIE}=${opened}; Path=${SETUP_PATH}; HttpOnly; SameSite=Lax${secure}`;
    return send(response, 303, "", { location: SETUP_PATH, "set-cookie": cookie });
  }
  if (!entry.isVisitor(parse(request.headers.cookie ?? "", COOKIE)[COOKIE]) || visit.step.is === "done")
    return send(response, 403, closedPage());
  if (isModel) return takeModel(visit, request, response);
  if (visit.step.is === "model") return askModel(visit, visit.step, response);
  if (url.pathname === REGISTERED_PATH) return takeCode(visit, url, response);
  return offer(visit, isFromElsewhere(request) ? new URLSearchParams() : url.searchParams, response);
}

/** A link or a form of another page, as browsers say it. It must not fill in this one. */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  return /^(?:cross-site|same-site)$/.test(String(headers["sec-fetch-site"] ?? ""));
}

function offer({ options, offers, ownAddress }: Visit, asked: URLSearchParams, response: ServerResponse): void {
  const { place, problems } = readPlace(asked, options.known, ownAddress);
  const stateFor = (use: AppUse) => offers.stateFor({ place, use });
  const page = offerPage({ place, problems, known: options.known, stateFor, ownAddress });
  send(response, problems.length === 0 ? 200 : 422, page, {}, urlsOf(place).origin);
}

async function takeCode(visit: Visit, url: URL, response: ServerResponse): Promise<void> {
  const { options, offers } = visit;
  const code = url.searchParams.get("code") ?? "";
  const offered = offers.find(url.searchParams.get("state"));
  if (offered === undefined)
    return send(response, 403, failedPage("This did not come from the page that you opened.", undefined));
  if (code === "") return send(response, 400, failedPage("GitHub sent no code with you.", undefined));
  // Two tabs would exchange the same code, and GitHub would refuse the second one.
  if (visit.isBusy)
    return send(response, 409, failedPage("This is being done already.", `${url.pathname}${url.search}`));
  visit.isBusy = true;
  try {
    const app = await convertCode(code, offered, options.answerMs);
    const said = [`The App ${app.slug} is registered. ${await options.keep(app, offered.place)}`];
    visit.onRegistered();
    if (options.model === undefined) return ready(visit, app, said, response);
    visit.step = { is: "model", app, said };
    askModel(visit, visit.step, response);
    setTimeout(() => endModel(visit), options.model.waitMs).unref();
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    const again = canTryAgain(error) ? `${url.pathname}${url.search}` : undefined;
    send(response, 502, failedPage(error.message, again));
  } finally {
    visit.isBusy = false;
  }
}

function askModel({ entry }: Visit, { said }: Extract<Step, { is: "model" }>, response: ServerResponse): void {
  send(response, 200, modelPage({ state: entry.state, said, problems: [], typed: new URLSearchParams() }));
}

/** Nobody chose a model in time. */
function endModel(visit: Visit): void {
  visit.isLate = true;
  if (visit.step.is !== "model" || visit.isBusy) return;
  visit.step = { is: "done" };
  visit.finish();
}

async function takeModel(visit: Visit, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, entry } = visit;
  const form = await readForm(request);
  // As it is now: while a slow form came in, another tab may have brought the visit to its end.
  const { step } = visit;
  if (form === undefined || !entry.isState(form.get("state")) || step.is !== "model" || options.model === undefined)
    return send(response, 403, failedPage("This did not come from the page that you opened.", undefined));
  if (visit.isBusy) return send(response, 409, failedPage("The model is being tried already.", undefined));
  if (form.get("without") !== null) return ready(visit, step.app, step.said, response);
  const { variables, problems } = readModelChoice(form);
  visit.isBusy = true;
  try {
    const tried = problems.length > 0 ? undefined : await options.model.try(variables);
    if (tried?.works === true) {
      const said = [...step.said, ...tried.said, await options.model.keep(variables)];
      return ready(visit, step.app, said, response);
    }
    const wrong = tried === undefined ? problems : tried.said;
    send(response, 422, modelPage({ state: entry.state, said: step.said, problems: wrong, typed: form }));
  } finally {
    visit.isBusy = false;
    if (visit.isLate) endModel(visit);
  }
}

function ready(visit: Visit, app: RegisteredApp, said: readonly string[], response: ServerResponse): void {
  visit.step = { is: "done" };
  // A browser that has closed the connection gets no last page, and Forge does not wait for it.
  if (response.destroyed) visit.finish();
  else response.once("close", visit.finish);
  send(response, 200, readyPage(app, said), { connection: "close" });
}
