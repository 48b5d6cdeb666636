// Installing an App: https://docs.github.com/en/apps/using-github-apps/installing-your-own-github-app
import { type Context, Hono } from "hono";
import { install } from "../actions/installations.ts";
import { notFound, Problem } from "../problem.ts";
import { requireAccount, type World } from "../world.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";

const PLACE = "/apps/:slug/installations/new";

export function installAppRoutes(world: World): Hono {
  const routes = new Hono();
  const appOf = (call: Context) => {
    const app = world.apps.find(({ slug }) => slug === call.req.param("slug"));
    if (!app) throw notFound("There is no such App.");
    return app;
  };
  routes.get(PLACE, (call) => {
    const { name } = appOf(call);
    const accounts = [...world.accounts.values()].filter(({ type }) => type !== "Bot");
    const options = accounts
      .sort((one, other) => one.type.localeCompare(other.type))
      .map(({ login }) => html`<option value="${login}">${login}</option>`);
    const title = `Install ${name}`;
    const body = html`<h1>${title}</h1>
<form method="post" action="${new URL(call.req.url).pathname}">
<p><label>on all repositories of <select name="account">${options}</select></label></p><p><button>Install</button></p></form>`;
    return call.html(layout({ title, path: [], body }));
  });
  routes.post(PLACE, async (call) => {
    if (call.req.header("sec-fetch-site") === "cross-site") throw new Problem(403, "Forbidden");
    const { account: login } = await call.req.parseBody();
    const app = appOf(call);
    const account = requireAccount(world, String(login));
    const installed = world.installations.find((each) => each.app === app && each.account === account);
    const { id } = installed ?? install(world, app, account, null);
    if (app.setupUrl === undefined) return call.redirect("/", 302);
    const target = new URL(app.setupUrl);
    target.searchParams.set("installation_id", String(id));
    target.searchParams.set("setup_action", "install");
    return call.redirect(target.href, 302);
  });
  return routes;
}
