// Registering an App by its manifest: https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
import { type Context, Hono } from "hono";
import { readManifest, registerManifest } from "../actions/app-manifests.ts";
import { Problem } from "../problem.ts";
import { requireAccount, type World } from "../world.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";

const PLACES = ["/settings/apps/new", "/organizations/:organization/settings/apps/new"];

export function registerAppRoutes(world: World): Hono {
  const routes = new Hono();
  // comes from a page of another site, and only shows what would be made
  const show = async (call: Context) => {
    const text = await fieldOf(call, "manifest");
    const { name } = readManifest(text);
    const people = [...world.accounts.values()].filter(({ type }) => type === "User");
    const options = people.map(({ login }) => html`<option value="${login}">${login}</option>`);
    const { pathname, search } = new URL(call.req.url);
    const body = html`<h1>Create GitHub App</h1>
<form method="post" action="${pathname}/confirmed${search}"><input type="hidden" name="manifest" value="${text}">
<p><label>Name <input name="name" value="${name}"></label> <label>as <select name="by">${options}</select></label></p>
<p><button>Create GitHub App</button></p></form>`;
    return call.html(layout({ title: "Create GitHub App", path: [], body }));
  };
  const create = async (call: Context) => {
    if (call.req.header("sec-fetch-site") === "cross-site") throw new Problem(403, "Forbidden");
    const manifest = readManifest(await fieldOf(call, "manifest"));
    const organization = call.req.param("organization");
    const owner = requireAccount(world, organization ?? (await fieldOf(call, "by")));
    const { code } = registerManifest(world, owner, { ...manifest, name: await fieldOf(call, "name") });
    const target = new URL(manifest.redirect_url);
    target.searchParams.set("code", code);
    const state = call.req.query("state");
    if (state !== undefined) target.searchParams.set("state", state);
    return call.redirect(target.href, 302);
  };
  for (const place of PLACES) {
    routes.post(place, show);
    routes.post(`${place}/confirmed`, create);
  }
  return routes;
}

async function fieldOf(call: Context, name: string): Promise<string> {
  const value = (await call.req.parseBody())[name];
  if (typeof value === "string") return value;
  throw new Problem(400, `The field ${name} is missing.`);
}
