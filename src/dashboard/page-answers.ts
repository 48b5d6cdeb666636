import type { Context } from "hono";
import { html } from "hono/html";
import { errorFacts, ForgeError } from "../domain/errors.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import { SCRIPT, STYLE } from "./page-files.ts";
import { layout, type Markup, notice } from "./pages/layout.ts";
import { LAYOUT, SIGN_IN, TROUBLE } from "./words.ts";

type Status = 200 | 400 | 401 | 403 | 404 | 409 | 413 | 500 | 502 | 503;

function show(call: Context, title: string, body: Markup, status: Status) {
  return call.html(layout({ title, style: STYLE.path, script: SCRIPT.path, body }), status);
}

/** A page that says that something is not so. */
export function trouble(
  call: Context,
  { title, what }: { readonly title: string; readonly what: string },
  status: Status,
) {
  return show(call, title, notice(title, what, html`<p><a href="/">${LAYOUT.toFirst}</a></p>`), status);
}

/** A page with the button that leads to GitHub, and back to what was asked for where that needs a person who is signed in. */
export function askToSignIn(call: Context, what: string, status: 400 | 401) {
  const { pathname, search } = new URL(call.req.url);
  const target = new URLSearchParams({ return_to: status === 401 ? `${pathname}${search}` : "/" });
  const link = html`<p><a class="button" href="/auth/login?${target.toString()}">${SIGN_IN.button}</a></p>`;
  return show(call, SIGN_IN.title, notice(SIGN_IN.title, what, link), status);
}

/** The page for what was thrown; what is not GitHub's or the person's is logged. */
export function answerError(call: Context, error: unknown, log: DashboardDependencies["log"]) {
  const code = error instanceof ForgeError ? error.code : undefined;
  if (code === "sign_in_ended") return askToSignIn(call, SIGN_IN.what, 401);
  if (code === "github_refused") return trouble(call, TROUBLE.refused, 403);
  log.error({ error: errorFacts(error) }, "a page could not be made");
  return code === "github_unavailable" ? trouble(call, TROUBLE.unavailable, 503) : trouble(call, TROUBLE.broken, 500);
}
