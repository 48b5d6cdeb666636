// Signing in to an App: https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app
// Nobody has a password here: the page asks who one is.
import { type Context, Hono } from "hono";
import { type CodeExchange, exchangeCode, grantCode } from "../actions/authorizations.ts";
import { notFound, Problem } from "../problem.ts";
import type { Account, App } from "../records.ts";
import { requireAccount, type World } from "../world.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";

export function signInRoutes(world: World): Hono {
  const routes = new Hono();
  routes.get("/login/oauth/authorize", (call) => {
    const asked = askedOf(world, call);
    const { app, redirectUri } = asked;
    // This person is signed in to GitHub and has authorized the App before, so GitHub asks nothing.
    const known = world.accounts.get((call.req.query("login") ?? "").toLowerCase());
    if (known?.type === "User") return call.redirect(comeBack(world, asked, known), 302);
    const title = `Sign in to ${app.name}`;
    const people = [...world.accounts.values()].filter(({ type }) => type === "User");
    const buttons = people.map(({ login }) => html`<p><button name="as" value="${login}">${login}</button></p>`);
    const body = html`<h1>${title}</h1><p>It leads to ${redirectUri}. Who are you?</p>
<form method="post">${buttons}<p><button name="deny" value="yes">Cancel</button></p></form>`;
    return call.html(layout({ title, path: [], body }));
  });

  routes.post("/login/oauth/authorize", async (call) => {
    const asked = askedOf(world, call);
    const form = await call.req.parseBody();
    const user = typeof form.as === "string" ? requireAccount(world, form.as) : undefined;
    return call.redirect(comeBack(world, asked, user), 302);
  });

  routes.post("/login/oauth/access_token", async (call) => {
    const isJson = call.req.header("content-type")?.includes("json") ?? false;
    const asked = isJson ? await call.req.json<CodeExchange>() : ((await call.req.parseBody()) as CodeExchange);
    const answer = exchangeCode(world, asked);
    // form encoding is what GitHub answers with unless it is asked for JSON
    if (call.req.header("accept")?.includes("json")) return call.json(answer);
    const text = new URLSearchParams(
      Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)])),
    ).toString();
    return call.body(text, 200, { "content-type": "application/x-www-form-urlencoded; charset=utf-8" });
  });
  return routes;
}

/** Where the browser goes on to: with a code of the person, or with the news that they canceled. */
function comeBack(world: World, { app, redirectUri, challenge, state }: Asked, user: Account | undefined): string {
  const target = new URL(redirectUri);
  if (user) target.searchParams.set("code", grantCode(world, { app, user, redirectUri, challenge }));
  else {
    target.searchParams.set("error", "access_denied");
    target.searchParams.set("error_description", "The user has denied your application access.");
  }
  if (state !== undefined) target.searchParams.set("state", state);
  return target.href;
}

interface Asked {
  readonly app: App;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly state: string | undefined;
}

/** The callback must be one of the App's, letter by letter; without one the first is taken. */
function askedOf(world: World, call: Context): Asked {
  const app = world.apps.find((each) => each.clientId === call.req.query("client_id"));
  if (!app) throw notFound();
  const callbacks = app.callbackUrls ?? [];
  const redirectUri = call.req.query("redirect_uri") ?? callbacks[0];
  if (redirectUri === undefined || !callbacks.includes(redirectUri))
    throw new Problem(400, "The redirect_uri is not associated with this application.");
  const challenge = call.req.query("code_challenge") ?? null;
  if (challenge !== null && call.req.query("code_challenge_method") !== "S256")
    throw new Problem(400, "The code_challenge_method must be S256.");
  return { app, redirectUri, challenge, state: call.req.query("state") };
}
