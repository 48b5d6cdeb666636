import { defineEventHandler, getQuery, getRouterParam, readBody, sendRedirect, setCookie, setHeader } from "h3";
import { readFile } from "node:fs/promises";
import { execSync } from "node:child_process";
import { json, redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import type { RequestHandler } from "@sveltejs/kit";
import { redirect as svelteRedirect } from "@sveltejs/kit";
import { HttpClient } from "@angular/common/http";
import { db } from "./db";

export const search = defineEventHandler(async (event) => {
  const { term } = getQuery(event);
  // wrong: CWE-89 query of h3
  return db.query(`SELECT * FROM items WHERE name = '${term}'`);
});

export const searchSafe = defineEventHandler(async (event) => {
  const { term } = getQuery(event);
  // right: CWE-89 parameter of h3
  return db.query("SELECT * FROM items WHERE name = $1", [term]);
});

export const page = defineEventHandler(async (event) => {
  // wrong: CWE-22 parameter of a router
  return readFile(`content/${getRouterParam(event, "name", { decode: true })}`, "utf8");
});

export const run = defineEventHandler(async (event) => {
  const body = await readBody(event);
  // wrong: CWE-78 body of h3
  return execSync("make " + body.target).toString();
});

export const out = defineEventHandler((event) => {
  // wrong: CWE-601 query of h3 as target
  return sendRedirect(event, String(getQuery(event).to));
});

export const outSafe = defineEventHandler((event) => {
  // right: CWE-601 constant of h3
  return sendRedirect(event, "/start", 302);
});

export const cookie = defineEventHandler((event) => {
  // wrong: CWE-1004 cookie of h3 for scripts
  setCookie(event, "session", event.context.session, { httpOnly: false, secure: true });
  // right: CWE-1004 cookie of h3 with flags
  setCookie(event, "session", event.context.session, { httpOnly: true, secure: true, sameSite: "lax" });
});

export const html = defineEventHandler((event) => {
  setHeader(event, "content-type", "text/html");
  // wrong: CWE-79 returned text of h3
  return `<p>${getQuery(event).q}</p>`;
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  // wrong: CWE-89 loader of Remix
  const rows = await db.query("SELECT * FROM posts WHERE tag = '" + url.searchParams.get("tag") + "'");
  // right: CWE-89 parameter of a loader
  const post = await db.query("SELECT * FROM posts WHERE slug = $1", [params.slug]);
  return json({ rows, post });
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  // wrong: CWE-601 form of Remix as target
  return redirect(form.get("redirectTo") as string);
}

export async function actionSafe() {
  // right: CWE-601 constant of Remix
  return redirect("/dashboard");
}

export const GET: RequestHandler = async ({ url, fetch }) => {
  // wrong: CWE-918 search parameter of SvelteKit
  const answer = await fetch(url.searchParams.get("source")!);
  return new Response(answer.body);
};

export const POST: RequestHandler = async ({ request }) => {
  const data = await request.formData();
  // wrong: CWE-601 form of SvelteKit as target
  svelteRedirect(303, String(data.get("next")));
};

export class CatalogueService {
  constructor(private readonly http: HttpClient) {}

  find(id: number) {
    // right: CWE-918 client of Angular on its own server
    return this.http.get(`/api/items/${id}`);
  }
}
