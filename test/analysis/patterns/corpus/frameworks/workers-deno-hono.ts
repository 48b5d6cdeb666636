import { Hono } from "hono";
import { basicAuth } from "hono/basic-auth";
import { bearerAuth } from "hono/bearer-auth";
import { getCookie, setSignedCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import { serveStatic } from "hono/deno";
import { zValidator } from "@hono/zod-validator";
import { z } from "zod";
import { Application, Router } from "@oak/oak";
import { Database } from "bun:sqlite";

type Bindings = { DB: D1Database; KV: KVNamespace; TOKEN: string; FILES: R2Bucket };
const app = new Hono<{ Bindings: Bindings }>();

// wrong: CWE-798 password of a guard in the source
app.use("/admin/*", basicAuth({ username: "admin", password: "Harvest-moon-26" }));
// right: CWE-798 token of a binding
app.use("/api/*", (c, next) => bearerAuth({ token: c.env.TOKEN })(c, next));
// right: CWE-693 headers of Hono
app.use(secureHeaders());
// wrong: CWE-1021 frame option of Hono is off
app.use("/embed/*", secureHeaders({ xFrameOptions: false }));
// right: CWE-22 static files below a folder
app.use("/static/*", serveStatic({ root: "./" }));

app.get("/search", zValidator("query", z.object({ sort: z.enum(["name", "day"]), q: z.string() })), async (c) => {
  const { sort, q } = c.req.valid("query");
  // right: CWE-89 enum of a validator, value bound
  const rows = await c.env.DB.prepare(`SELECT * FROM items WHERE name = ? ORDER BY ${sort}`).bind(q).all();
  // wrong: CWE-89 any string of a validator
  const all = await c.env.DB.prepare(`SELECT * FROM items WHERE name = '${q}'`).all();
  return c.json({ rows, all });
});

app.get("/object/:key", async (c) => {
  // right: CWE-22 key of a bucket is no path of a disk
  const object = await c.env.FILES.get(c.req.param("key"));
  return new Response(object?.body);
});

app.get("/html", (c) => {
  // wrong: CWE-79 cookie in markup
  return c.html(`<p class=note>${getCookie(c, "note")}</p>`);
});

app.get("/login", async (c) => {
  // right: CWE-614 signed cookie with flags
  await setSignedCookie(c, "session", crypto.randomUUID(), c.env.TOKEN, { httpOnly: true, secure: true, sameSite: "Strict" });
  // wrong: CWE-601 query of Hono in a header
  c.header("Location", c.req.query("next"));
  return c.body(null, 302);
});

const oak = new Router();
oak.get("/file/:name", async (ctx) => {
  // wrong: CWE-22 parameter of Oak
  ctx.response.body = await Deno.readFile("./files/" + decodeURIComponent(ctx.params.name));
});
oak.get("/go", (ctx) => {
  // wrong: CWE-601 query of Oak
  ctx.response.redirect(ctx.request.url.searchParams.get("to")!);
});
oak.get("/start", (ctx) => {
  // right: CWE-601 constant of Oak
  ctx.response.redirect("/");
});
oak.post("/run", async (ctx) => {
  const { program, text } = await ctx.request.body.json();
  // wrong: CWE-78 program of a body
  const child = new Deno.Command(program, { args: [text] });
  // right: CWE-78 fixed program
  const fixed = new Deno.Command("wc", { args: ["-c"], stdin: "piped" });
  ctx.response.body = [await child.output(), fixed.spawn().pid].length;
});
await new Application().use(oak.routes()).listen({ port: 8000 });

const db = new Database("items.sqlite");
Bun.serve({
  routes: {
    // wrong: CWE-89 parameter of a route of Bun
    "/items/:name": (req) => Response.json(db.query(`SELECT * FROM items WHERE name = '${req.params.name}'`).all()),
    // right: CWE-89 named parameter of Bun
    "/safe/:name": (req) => Response.json(db.query("SELECT * FROM items WHERE name = $name").all({ $name: req.params.name })),
  },
});

export default app;
