// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read, not run
import { describe, expect, it } from "vitest";
import { describeHit } from "../../src/analysis/analysers/patterns.ts";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { isBlocking } from "../../src/domain/findings.ts";

const read = findInsecureCode();
const hitsOf = (text: string) => {
  const result = read({ id: 0, text, dialect: "ts" });
  return "unread" in result ? [] : result.hits;
};
const blocking = (text: string) => hitsOf(text).filter(isBlocking);
/** Rules above a remark. */
const loud = (text: string) => hitsOf(text).flatMap(({ rule, severity }) => (severity === "info" ? [] : [rule]));

const EXPRESS = 'import express from "express"; const app = express(); app.use(express.json());';
const FASTIFY = 'import Fastify from "fastify"; const app = Fastify();';
const KOA = 'import Koa from "koa"; const app = new Koa();';
const HONO = 'import { Hono } from "hono"; const app = new Hono();';
const HTTP = 'import http from "node:http";';
const NEXT = 'import type { NextApiRequest, NextApiResponse } from "next";';
const HAPI = 'import Hapi from "@hapi/hapi"; const server = Hapi.server();';
const express = (code: string) => `${EXPRESS} app.all("/", (req, res) => { ${code} });`;
const fastify = (code: string) => `${FASTIFY} app.get("/", async (request, reply) => { ${code} });`;
const koa = (code: string) => `${KOA} app.use(async (ctx) => { ${code} });`;
const hono = (code: string) => `${HONO} app.get("/", (c) => { ${code} });`;
const http = (code: string) =>
  `${HTTP} http.createServer((req, res) => { const q = new URL(req.url, "http://a").searchParams.get("q"); ${code} });`;
const next = (code: string) => `${NEXT} export default (req: NextApiRequest, res: NextApiResponse) => { ${code} };`;
const hapi = (code: string) =>
  `${HAPI} server.route({ method: "GET", path: "/", handler: (request, h) => { ${code} } });`;

const ZOD = 'import { z } from "zod"; import { exec } from "node:child_process"; import fs from "node:fs";';
const trpc = (schema: string, code: string) =>
  `${ZOD} import { initTRPC } from "@trpc/server"; const t = initTRPC.create(); export const router = t.router({ a: t.procedure.input(${schema}).query(({ input }) => { ${code}; }) });`;
const parsed = (schema: string, code: string) =>
  `${ZOD} const form = z.object({ a: ${schema}, b: z.string() }); ${express(`const body = form.parse(req.body); ${code};`)}`;
const safelyParsed = (schema: string, code: string) =>
  `${ZOD} const form = z.object({ a: ${schema}, b: z.string() }); ${express(`const result = form.safeParse(req.body); if (!result.success) return; ${code};`)}`;

/** Plain use: nobody is warned. */
const FINE: readonly (readonly [what: string, code: string])[] = [
  ["Fastify sends text", fastify('return reply.send("hello " + request.query.name);')],
  ["Fastify sends a body", fastify("reply.send(request.body);")],
  ["Fastify sends the request on as a stream", fastify("reply.send(request.raw);")],
  ["Fastify says that it is text", fastify('reply.type("text/plain").send(request.query.name);')],
  ["a literal of zod", `import { z } from "zod"; ${express("const kind = z.literal(req.body.kind);")}`],
  ["tRPC hands on a choice of a list", trpc("z.enum(['en', 'de'])", 'fs.readFileSync("text/" + input)')],
  ["tRPC hands on a number", trpc("z.object({ n: z.number().max(9) })", 'exec("tail -n " + input.n)')],
  ["tRPC hands on letters", trpc("z.object({ id: z.string().regex(/^[a-z]+$/) })", "exec(`run ${input.id}`)")],
  ["a text that a schema of letters let pass", parsed("z.string().uuid()", "exec(`run ${body.a}`)")],
  ["a part that a schema let pass", safelyParsed("z.coerce.number()", "exec(`run ${result.data.a}`)")],
  [
    "Hono hands on what its validator let pass",
    `import { z } from "zod"; import { exec } from "node:child_process"; ${HONO} app.post("/", zValidator("json", z.object({ a: z.literal("b") })), (c) => { const { a } = c.req.valid("json"); exec("run " + a); });`,
  ],
  [
    "Next sends people to a path that a cookie chooses",
    'import { NextResponse, type NextRequest } from "next/server"; export function proxy(req: NextRequest) { const locale = req.cookies.get("l")?.value || "en"; return NextResponse.redirect(new URL(`/${locale}/a`, req.url)); }',
  ],
  ["a method called raw", express("t.raw(req.body.kind);")],
  ["a method called literal", express("t.literal('a' + req.body.kind);")],
  ["Express sends a body that was parsed", express("res.send(req.body);")],
  ["Express sends an object", express("res.status(404).send({ error: req.query.name });")],
  ["Express sends an object with a name", express("const model = { url: req.url }; res.send(model);")],
  ["Express sends a list", express("res.send(names.map((name) => name + req.query.a));")],
  ["Express says that it is text", express('res.type("text"); res.send("hello " + req.query.name);')],
  ["Express says so in a header", express('res.set("Content-Type", "text/plain").send(req.query.name);')],
  ["Koa sends text", koa("ctx.body = `hello ${ctx.query.name}`;")],
  ["Koa sends an object", koa("ctx.body = { name: ctx.query.name };")],
  ["Hono sends text", hono('return c.text("hello " + c.req.query("name"));')],
  ["Hono sends a body", hono('return c.body("hello " + c.req.query("name"));')],
  ["Node sends text that begins with a word", http('res.end("hello " + q);')],
  ["Node sends JSON", http("res.end(JSON.stringify({ q }));")],
  ["Node says that it is text", http('res.writeHead(200, { "Content-Type": "text/plain" }); res.end(q);')],
  ["Next sends an object", next("res.send({ name: req.query.name });")],
  ["Next sends text that begins with a word", next("res.end(`Post: ${req.query.pid}`);")],
  [
    "Next sends people to its own address",
    'import { NextResponse, type NextRequest } from "next/server"; export function proxy(request: NextRequest) { return NextResponse.redirect(new URL(`${request.nextUrl.pathname}/`, request.nextUrl)); }',
  ],
  ["hapi sends an object", hapi("return h.response({ name: request.query.name });")],
  ["hapi says that it is text", hapi('return h.response("hello " + request.query.name).type("text/plain");')],
  [
    "h3 says that it is text",
    'import { defineEventHandler, getQuery, send } from "h3"; export default defineEventHandler((event) => send(event, String(getQuery(event).a), "text/plain"));',
  ],
  [
    "tRPC gives back JSON",
    'import { initTRPC } from "@trpc/server"; const t = initTRPC.create(); export const a = t.procedure.query(({ input }) => "hello " + input.name);',
  ],
  ["a hash", `import crypto from "node:crypto"; ${express('crypto.createHash("sha256").update(req.body);')}`],
  ["a store of keys", express('const db = open(); db.get("user:" + req.params.id);')],
  ["a service that deletes many", express("await service.deleteMany(req.body.keys);")],
  ["jQuery looks for a link", `$("nav").find('a[href="' + location.pathname + '"]').addClass("active");`],
  ["a template gets an object of its own", express('const model = { url: req.url }; res.render("page", model);')],
  ["a logger gets an address", express("req.log.info({ url: req.originalUrl, statusCode: res.statusCode });")],
  [
    "a stream is made of a function",
    'import { pipeline } from "node:stream"; import { promisify } from "node:util"; const pump = promisify(pipeline); app.post("/", async (req, res) => { await pump(req.body, target); });',
  ],
  [
    "a bundler's module",
    "export default async function Page({ params }) { const { slug } = await params; const { default: Post } = await import(`@/content/${slug}.mdx`); }",
  ],
];

/** As wrong with these packages as ever. */
const WRONG: readonly (readonly [what: string, rule: string, code: string])[] = [
  ["Fastify says that it is HTML", "page/answer", fastify('reply.type("text/html").send("<p>" + request.query.name);')],
  [
    "Fastify says so before",
    "page/answer",
    fastify('reply.header("content-type", "text/html"); return reply.send(request.query.name);'),
  ],
  ["Fastify's answer of Node", "page/answer", fastify("reply.raw.end(request.query.name);")],
  ["Express sends text", "page/answer", express('res.send("hello " + req.query.name);')],
  ["Express sends a member", "page/answer", express("res.send(req.body.name);")],
  [
    "Express sends text that was a body",
    "page/answer",
    `${EXPRESS} app.use(express.text()); app.post("/", (req, res) => { res.send(req.body); });`,
  ],
  ["Koa sends what begins with input", "page/answer", koa("ctx.body = ctx.query.name;")],
  ["Koa sends a tag", "page/answer", koa("ctx.body = `<p>${ctx.query.name}`;")],
  ["Koa says that it is HTML", "page/answer", koa('ctx.type = "html"; ctx.body = "hello " + ctx.query.name;')],
  ["Hono sends HTML", "page/answer", hono('return c.html("hello " + c.req.query("name"));')],
  [
    "Hono says that it is HTML",
    "page/answer",
    hono('return c.body(c.req.query("a"), 200, { "Content-Type": "text/html" });'),
  ],
  ["Node sends what begins with input", "page/answer", http("res.end(q);")],
  ["Node sends a page piece by piece", "page/answer", http('res.write("<html>"); res.end("hello " + q);')],
  ["Next sends what begins with input", "page/answer", next("res.send(req.query.name);")],
  ["hapi sends text", "page/answer", hapi('return h.response("hello " + request.query.name);')],
  [
    "h3 says that it is HTML",
    "page/answer",
    'import { defineEventHandler, getQuery, send } from "h3"; export default defineEventHandler((event) => send(event, "a" + getQuery(event).a, "text/html"));',
  ],
  [
    "h3 asks where the query says",
    "request/address",
    'import { defineEventHandler, getQuery, proxyRequest } from "h3"; export default defineEventHandler((event) => proxyRequest(event, String(getQuery(event).to)));',
  ],
  [
    "tRPC asks a database",
    "sql/query-text",
    'import { initTRPC } from "@trpc/server"; import { Pool } from "pg"; const db = new Pool(); const t = initTRPC.create(); export const a = t.procedure.query(({ input }) => db.query("select a from b where c = " + input.name));',
  ],
  [
    "a field of a declared type",
    "sql/query-text",
    'import type { Pool } from "pg"; import type { Request } from "express"; export class Store { constructor(private readonly db: Pool) {} find(req: Request) { return this.db.query("select a from b where c = " + req.query.c); } }',
  ],
  [
    "a field that a constructor fills",
    "sql/query-text",
    'import type mysql from "mysql2/promise"; import type { Request } from "express"; export class Store { private db: mysql.Pool; constructor(db: mysql.Pool) { this.db = db; } find(req: Request) { return this.db.execute("select a from b where c = " + req.query.c); } }',
  ],
  [
    "a member of a declared interface",
    "sql/raw-text",
    'import type { Knex } from "knex"; import type { Request } from "express"; interface Deps { readonly db: Knex | undefined } export const find = ({ db }: Deps) => (req: Request) => db!.raw("select a from b where c = " + req.query.c);',
  ],
  [
    "what a function of the file makes",
    "sql/query-text",
    `import { createPool } from "mysql2"; function connect() { return createPool({}); } ${express('connect().query("select a from b where c = " + req.query.c);')}`,
  ],
  [
    "a literal of Sequelize",
    "sql/raw-text",
    `import { Sequelize } from "sequelize"; const db = new Sequelize(""); ${express("User.findAll({ order: Sequelize.literal(req.query.by) });")}`,
  ],
  [
    "a model of mongoose",
    "nosql/operator",
    `import mongoose from "mongoose"; const User = mongoose.model("User", schema); ${express("User.findOne({ name: req.body.name });")}`,
  ],
  [
    "a text of any letters that tRPC hands on",
    "program/shell",
    trpc("z.object({ a: z.string() })", "exec(`run ${input.a}`)"),
  ],
  [
    "a path that its pattern lets climb",
    "path/file",
    trpc("z.string().regex(/^[\\w./-]+$/)", 'fs.readFileSync("text/" + input)'),
  ],
  [
    "Next sends people where the query says, from its own address",
    "redirect/open",
    'import { NextResponse, type NextRequest } from "next/server"; export function proxy(req: NextRequest) { return NextResponse.redirect(new URL(String(req.nextUrl.searchParams.get("to")), req.url)); }',
  ],
  [
    "an address below one that the query says",
    "redirect/open",
    express("res.redirect(new URL(page, req.query.site).href);"),
  ],
  ["an address that is only an address", "request/address", parsed("z.string().url()", "fetch(body.a)")],
  ["the other part of what a schema let pass", "program/shell", parsed("z.number()", "exec(`run ${body.b}`)")],
  [
    "the other part of what was asked safely",
    "program/shell",
    safelyParsed("z.number()", "exec(`run ${result.data.b}`)"),
  ],
  [
    "a pattern of which one way is not whole",
    "program/shell",
    `${ZOD} ${express("if (!/^a|b$/.test(req.query.a)) return; exec(`run ${req.query.a}`);")}`,
  ],
  [
    "an exported handler that is an arrow function",
    "redirect/open",
    'import type { Request, Response } from "express"; export const go = (req: Request, res: Response) => res.redirect(req.query.to);',
  ],
  [
    "a handler of a declared type",
    "redirect/open",
    'import type { RequestHandler } from "express"; export const go: RequestHandler = (a, b) => { b.redirect(a.query.to); };',
  ],
  [
    "a function of a program behind promisify",
    "program/shell",
    `import { exec } from "node:child_process"; import { promisify } from "node:util"; const run = promisify(exec); ${express('run("ls " + req.query.dir);')}`,
  ],
  ["a template gets the request whole", "program/template-options", express('res.render("page", req.query);')],
];

describe("rules that know whose method they look at", () => {
  it.each(FINE)("REV-6: %s: nothing above a remark", (_, code) => {
    expect(loud(code)).toEqual([]);
  });

  it.each(WRONG)("REV-6: %s: blocks", (_, rule, code) => {
    expect(blocking(code).map((hit) => hit.rule)).toContain(rule);
  });

  it("REV-6: a receiver of which only the name is known never blocks", () => {
    const names =
      "raw literal send write end query exec execute run get all render find findOne updateMany where whereRaw unsafe spawn execFile html append evaluate goto redirect mv sign verify search setContent".split(
        " ",
      );
    for (const receiver of [
      "db",
      "knex",
      "client",
      "res",
      "reply",
      "page",
      "shell",
      "User",
      "jwt",
      "t",
      "this.db",
      "el",
    ]) {
      for (const name of names) {
        const code = `export class A { go(req: Request, ${receiver.replace("this.db", "x")}) { ${receiver}.${name}("select a from b where c = " + req.query.c); } }`;
        expect(blocking(`import "./other.ts"; ${code}`), code).toEqual([]);
      }
    }
  });
});

/** What an attacker sends past a check, as the message shows it; empty where it names none. */
const CHECKS: readonly (readonly [check: string, passes: string | undefined])[] = [
  ['if (!to.startsWith("/") || to.startsWith("//")) return;', "/\\evil.example"],
  ['if (!to.startsWith("/")) return;', "//evil.example"],
  ["if (!/^\\/(?!\\/)/.test(to)) return;", "/\\evil.example"],
  ['if (!to.startsWith("https://example.com")) return;', "https://example.com.evil.example"],
  ['if (!to.includes("example.com")) return;', "new URL(…).host"],
  ['if (!to.startsWith("/") || to.startsWith("//") || to.startsWith("/\\\\")) return;', undefined],
  ['if (to[0] !== "/" || to[1] === "/" || to[1] === "\\\\") return;', undefined],
  ["if (!/^\\/(?![/\\\\])/.test(to)) return;", undefined],
  ["if (!/^\\/[a-z]/.test(to)) return;", undefined],
  ['if (!to.startsWith("/") || /^[/\\\\]{2}/.test(to)) return;', undefined],
  ["if (to && !isAllowed(to)) throw new Error();", undefined],
  ['if (!isAllowed(to)) to = "/";', undefined],
  ['if (!isAllowed(to)) { log(to); to = "/home"; }', undefined],
  ['if (!isAllowed(to)) to = to + "/";', ""],
  ['if (!isAllowed(to)) other = "/";', ""],
  ['if (!isAllowed(to)) { to = "/"; to = req.query.other; }', ""],
  ['if (!isAllowed(to)) { to = "/"; if (late) { to = req.query.other; } }', ""],
  ['if (!isAllowed(to)) { if (late) { to = "/late"; } to = "/"; }', undefined],
  ['if (!isAllowed(to)) { if (late) to = "/"; }', ""],
  ['if (isAllowed(to)) to = "/";', ""],
  ['const host = new URL(to).hostname; if (host !== "a.example" && !host.endsWith(".a.example")) return;', undefined],
  ['const host = new URL(to).hostname || ""; if (host !== "a.example") return;', undefined],
  ['const host = new URL(to).hostname || to; if (host !== "a.example") return;', undefined],
  ['const host = new URL(to).hostname; if (!host.endsWith("a.example")) return;', ""],
  ['if (new URL(to, "https://a.example").origin !== "https://a.example") return;', undefined],
];

describe("checks that people write", () => {
  it.each(CHECKS)("REV-6: %s is believed as far as it holds", (check, passes) => {
    const [hit, ...others] = blocking(express(`let other, to = String(req.query.to); ${check} res.redirect(to);`));
    expect(others).toEqual([]);
    expect(hit === undefined).toBe(passes === undefined);
    if (hit !== undefined) expect(describeHit(hit).why).toContain(passes);
  });

  const FILE = 'import fs from "node:fs"; import path from "node:path";';
  const opened = (check: string) =>
    blocking(`${FILE} ${express(`const file = path.resolve(root, req.query.name); ${check} fs.readFileSync(file);`)}`);

  it.each([
    "if (file.slice(0, root.length) !== root) return;",
    'const way = path.relative(root, file); if (way !== "" && (way.startsWith("..") || path.isAbsolute(way))) return;',
    "if (dev) { if (checkAccess(file) === 'denied') return; } else if (!isParentDirectory(root, file)) return;",
  ])("REV-6: a file in its folder: %s", (check) => {
    expect(opened(check)).toEqual([]);
  });

  it("REV-6: the check has to leave, and the message names `../` taken out once", () => {
    expect(opened("if (file.slice(0, root.length) !== root) log(file);")).toHaveLength(1);
    const [hit] = blocking(
      `${FILE} ${express('fs.readFileSync("/data/" + req.query.name.replace(/\\.\\.\\//g, ""));')}`,
    );
    expect(hit && describeHit(hit).why).toContain("`....//`");
  });
});

describe("what belongs to the receiver", () => {
  const written = (before: string, on: string) =>
    loud(`${before} ${express(`${on}[req.query.name] = req.query.value;`)}`);
  const NONE = "const Empty = function () {}; Empty.prototype = Object.create(null);";
  const passed = (given: string, more = "") =>
    loud(
      `${NONE} function add(to, name) { to[name] = 1; } ${express(`const kept = ${given}; add(kept, req.query.name);`)} ${more}`,
    );

  it.each([
    ["const kept = Object.create(null);", "kept"],
    ["let kept; kept = Object.create(null);", "kept"],
    ["const kept = { __proto__: null };", "kept"],
    [`${NONE} const kept = new Empty();`, "kept"],
  ])("REV-6: an object without a prototype has no __proto__: %s", (before, on) => {
    expect(written(before, on)).toEqual([]);
    expect(passed("Object.create(null)")).toEqual([]);
  });

  it.each([
    ["const kept = {};", "kept"],
    ["let kept = Object.create(null); kept = {};", "kept"],
    ["const kept = Object.create(base);", "kept"],
    ["class Full {} const kept = new Full();", "kept"],
    ["const kept = Object.create(null);", "kept.inner"],
  ])("REV-6: any other has one: %s", (before, on) => {
    expect(written(before, on)).toEqual(["object/key"]);
  });

  it("REV-6: a parameter is such an object where each call gives one, and no other file calls", () => {
    expect(passed("new Empty()")).toEqual([]);
    expect(passed("{}")).toEqual(["object/key"]);
    expect(passed("Object.create(null)", "add({}, 'a');")).toEqual(["object/key"]);
    expect(passed("Object.create(null)", "export { add };")).toEqual(["object/key"]);
    expect(passed("Object.create(null)", "module.exports = { add };")).toEqual(["object/key"]);
  });

  it("REV-6: a number of rounds is one where a key is derived", () => {
    const PBKDF2 = 'const KIND = "PBKDF2";';
    expect(
      loud(`${PBKDF2} crypto.subtle.deriveBits({ name: KIND, salt, hash: "SHA-256", iterations: 1000 }, key, 256);`),
    ).toEqual(["crypto/few-iterations"]);
    expect(loud(`const key = CryptoJS.PBKDF2(word, salt, { iterations: 1000 });`)).toContain("crypto/few-iterations");
    const other = hitsOf(`${PBKDF2} const bench = { iterations: 1000, warmup: 3 };`);
    expect(other.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(["crypto/few-iterations info"]);
  });

  it("REV-6: a word that stands for a password is none", () => {
    const client = (password: string) =>
      loud(`import pg from "pg"; new pg.Client({ host: "localhost", user: "example", password: "${password}" });`);
    expect(["example", "<password>", "your-password", "changeme", "xxxx"].flatMap(client)).toEqual([]);
    expect(["s3cret", "postgres", "examples-of-the-shop"].map(client)).toEqual(
      Array.from({ length: 3 }, () => ["secret/written-password"]),
    );
  });
});
