// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code that is read, not run
import { describe, expect, it } from "vitest";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";
import { isBlocking } from "../../src/domain/findings.ts";

const read = findInsecureCode();
const hitsOf = (text: string) => {
  const result = read({ id: 0, text, dialect: "ts" });
  return "unread" in result ? [] : result.hits;
};
/** Rules above a remark. */
const loud = (text: string) => hitsOf(text).flatMap(({ rule, severity }) => (severity === "info" ? [] : [rule]));

const NODE =
  'import fs from "node:fs"; import { exec } from "node:child_process"; import pg from "pg"; import mime from "mime";';
const express = (code: string) =>
  `${NODE} import express from "express"; const pool = new pg.Pool(); const app = express(); app.use(express.json()); app.all("/", async (req, res) => { ${code} });`;
const koa = (code: string) =>
  `${NODE} import Koa from "koa"; const app = new Koa(); app.use(async (ctx) => { ${code} });`;
const hono = (code: string) => `import { Hono } from "hono"; const app = new Hono(); app.get("/", (c) => { ${code} });`;
const fastify = (code: string) =>
  `${NODE} import Fastify from "fastify"; const app = Fastify(); app.post("/", async (request, reply) => { ${code} });`;

/** What looks like something harmless and is an attack. */
const BLOCKED: readonly (readonly [what: string, rule: string, code: string])[] = [
  ["the path in a body", "path/file", express("fs.readFileSync(req.body.file.path);")],
  ["the path in a body, to a shell", "program/shell", express('exec("cat " + req.body.file.path);')],
  ["paths in a body", "program/shell", express('for (const f of req.body.files) exec("cat " + f.path);')],
  [
    "a file name in a body",
    "path/file",
    express('const { file } = req.body; fs.readFileSync("/srv/" + file.filename);'),
  ],
  ["a file name in a query", "path/file", express('fs.readFileSync("/srv/" + req.query.file.filename);')],
  ["a file name in a page", "page/answer", express('res.send("<b>" + req.body.file.filename);')],
  [
    "the name that a client gave an upload",
    "path/file",
    express('fs.writeFileSync("/srv/" + req.file.originalname, "");'),
  ],
  [
    "the same with Fastify",
    "path/file",
    fastify('const data = await request.file(); fs.writeFileSync("/srv/" + data.filename, "");'),
  ],
  [
    "a check of something else, then SQL",
    "sql/query-text",
    express(
      'const a = verifyToken(req, req.query.n); if (a === "denied") return; pool.query("SELECT a FROM b WHERE c = " + req.query.n);',
    ),
  ],
  [
    "a function whose name begins like a check",
    "program/shell",
    express('const c = checkoutBranch(req.query.b); if (c === "x") return; exec("git " + req.query.b);'),
  ],
  [
    "a check of a path, then a shell",
    "program/shell",
    express('const c = checkPath(req.query.b); if (c === "denied") return; exec("git " + req.query.b);'),
  ],
  ["the type of a field", "page/answer", express('field.type("string"); res.send("Hi " + req.query.n);')],
  ["the type of a session", "page/answer", express('req.session.type = "x"; res.send("Hi " + req.query.n);')],
  ["the type of a local of an answer", "page/answer", express('res.locals.type = "x"; res.send("Hi " + req.query.n);')],
  [
    "a content type that is not known",
    "page/answer",
    express('res.set("Content-Type", mime.lookup(f)); res.send(req.query.n);'),
  ],
  ["Hono, one text of the query", "page/answer", hono('const h = c.req.query("h"); return c.html(h);')],
  [
    "an address cut where the client says",
    "redirect/open",
    express("res.redirect(req.query.next.slice(req.query.m));"),
  ],
  ["an address cut behind a prefix", "redirect/open", express('res.redirect(req.originalUrl.slice("/go/".length));')],
  [
    "a page with a browser's plugins",
    "program/page-code",
    `import puppeteer from "puppeteer-extra"; ${express('const page = await (await puppeteer.launch()).newPage(); page.evaluate("a" + req.query.a);')}`,
  ],
  ["a path in a body, taken out", "path/file", express("const { path } = req.body.file; fs.readFileSync(path);")],
  [
    "a path in a body, taken out of the request",
    "path/file",
    express("const { body: { file: { path } } } = req; fs.readFileSync(path);"),
  ],
  [
    "a path in a body, taken out by a function",
    "path/file",
    express("const show = ({ path }) => fs.readFileSync(path); show(req.body.file);"),
  ],
];

/** At least a warning: nothing proves what is called. */
const WARNED: readonly (readonly [what: string, rule: string, code: string])[] = [
  [
    "a database below a request",
    "sql/query-text",
    express('req.db.query("SELECT a FROM b WHERE c = " + req.query.n);'),
  ],
  [
    "a database below an application",
    "sql/query-text",
    express('app.locals.db.query("SELECT a FROM b WHERE c = " + req.query.n);'),
  ],
  [
    "a collection below the application of a request",
    "nosql/operator",
    express('req.app.locals.db.collection("users").findOne({ u: req.body.u });'),
  ],
  [
    "a database below a context of Koa",
    "sql/query-text",
    koa('ctx.db.query("SELECT a FROM b WHERE c = " + ctx.query.n);'),
  ],
  [
    "a database below Fastify",
    "sql/query-text",
    fastify('app.pg.query("SELECT a FROM b WHERE c = " + request.query.n);'),
  ],
  [
    "a database of a worker",
    "sql/query-text",
    hono('c.env.DB.prepare("SELECT a FROM b WHERE c = " + c.req.query("n"));'),
  ],
  [
    "a database that Hono keeps",
    "sql/query-text",
    hono('const db = c.get("db"); db.query("SELECT a FROM b WHERE c = " + c.req.query("n"));'),
  ],
  ["a model below a request", "nosql/operator", express("req.models.User.findOne({ u: req.body.u });")],
  [
    "SQL that is put together before",
    "sql/query-text",
    `import db from "./db.ts"; ${express('let text = "SELECT * FROM a"; if (req.query.a) text += " WHERE x=" + req.query.a; db.query(text);')}`,
  ],
  [
    "a text of any name, with a pool",
    "sql/query-text",
    `const { readPool } = require("./db"); ${express("const t = build(1) + req.query.a; readPool.execute(t);")}`,
  ],
  [
    "a member called SQL",
    "sql/query-text",
    `import client from "./db.ts"; ${express('const a = { sql: "x" + req.query.a }; client.run(a.sql);')}`,
  ],
  [
    "a literal of Sequelize from another file",
    "sql/raw-text",
    `import { sequelize } from "./db.ts"; ${express("User.findAll({ order: sequelize.literal(req.query.by) });")}`,
  ],
  [
    "a literal of the Sequelize of a database",
    "sql/raw-text",
    `import db from "./db.ts"; ${express("User.findAll({ order: db.sequelize.literal(req.query.by) });")}`,
  ],
  [
    "raw SQL of a Knex from another file",
    "sql/query-text",
    `const knex = require("./db"); ${express("knex.raw(req.query.by);")}`,
  ],
  [
    "a collection below a database",
    "nosql/operator",
    `import db from "./db.ts"; ${express("db.orders.findOne({ u: req.body.u });")}`,
  ],
  [
    "a collection by a short name",
    "nosql/operator",
    `import { usersCol } from "./db.ts"; ${express("usersCol.findOne({ u: req.body.u });")}`,
  ],
];

/** Harmless, and much like it. */
const FINE: readonly (readonly [what: string, code: string])[] = [
  ["where multer put an upload", express("fs.readFileSync(req.file.path);")],
  ["where multer put some", express("for (const f of req.files) fs.unlinkSync(f.path);")],
  ["an upload that is taken out", express("const { file } = req; fs.readFileSync(file.path);")],
  ["an upload that is handed on", express("const show = (f) => fs.readFileSync(f.path); show(req.file);")],
  ["where koa-body put an upload", koa("fs.readFileSync(ctx.request.files.a.filepath);")],
  [
    "a check of a path that answers with a word",
    express('const c = checkPath(req.query.b); if (c === "denied") return; fs.readFileSync(req.query.b);'),
  ],
  ["Express says the type behind a status", express('res.status(200).type("text"); res.send("Hi " + req.query.n);')],
  ["Koa says the type of its answer", koa('ctx.response.type = "text"; ctx.body = ctx.query.n;')],
  ["Hono, the query whole", hono("const all = c.req.query(); return c.json(all);")],
  [
    "an address cut where its slashes end",
    express("const next = String(req.query.next); const at = next.search(/[^/\\\\]/); res.redirect(next.slice(at));"),
  ],
  ["a value for a database below a request", express('req.db.query("SELECT a FROM b WHERE c = ?", [req.query.n]);')],
  ["a session of its own", express('req.session.get("SELECT " + req.query.n);')],
  [
    "a number in SQL that is put together before",
    `import db from "./db.ts"; ${express('let text = "SELECT * FROM a"; if (req.query.a) text += " WHERE x=" + Number(req.query.a); db.query(text);')}`,
  ],
  ["a store that is asked with a query", `import db from "./store.ts"; ${express("db.all(req.query);")}`],
  ["a collection that is asked with text", express("db.orders.findOne({ u: String(req.body.u) });")],
  ["a list that is searched", express("usersCol.find((each) => each.u === req.body.u);")],
  ["a service that finds one", express("service.findOne({ u: req.body.u });")],
  ["the path of an upload, taken out", express("const { path } = req.file; fs.readFileSync(path);")],
  [
    "the path of an upload, taken out of the request",
    express("const { file: { path } } = req; fs.readFileSync(path);"),
  ],
  [
    "the path of an upload, taken out by a function",
    express("const show = ({ path }) => fs.readFileSync(path); show(req.file);"),
  ],
];

describe("attacks that look like plain use", () => {
  it.each(BLOCKED)("REV-6: %s: blocks", (_, rule, code) => {
    expect(
      hitsOf(code)
        .filter(isBlocking)
        .map((hit) => hit.rule),
    ).toContain(rule);
  });

  it.each(WARNED)("REV-6: %s: warns", (_, rule, code) => {
    expect(loud(code)).toContain(rule);
  });

  it.each(FINE)("REV-6: %s: nothing above a remark", (_, code) => {
    expect(loud(code)).toEqual([]);
  });

  it.each(["@repo/db", "@models/user", "models/user"])("REV-6: `%s` is a file where the imports say so", (module) => {
    const code = `import db from "${module}"; import { User } from "${module}"; ${express('db.query("SELECT a FROM b WHERE c = " + req.query.c); User.findOne({ u: req.body.u });')}`;
    const rules = (imports: Readonly<Record<string, string>>) => {
      const result = read({ id: 0, text: code, dialect: "ts", path: "src/a.ts", imports });
      return "unread" in result
        ? []
        : result.hits.filter(({ severity }) => severity !== "info").map(({ rule }) => rule);
    };
    expect(rules({ [module]: "packages/db/index.ts" })).toEqual(
      expect.arrayContaining(["sql/query-text", "nosql/operator"]),
    );
    expect(rules({})).not.toContain("nosql/operator");
  });

  it("REV-6: a function behind a name of a workspace is followed", () => {
    const reader = findInsecureCode();
    const text =
      'import pg from "pg"; const pool = new pg.Pool(); export class Store { find(n) { return pool.query("SELECT a FROM b WHERE c = " + n); } }';
    reader({ id: 0, text, dialect: "ts", path: "packages/db/index.ts" });
    const code = `import { Store } from "@repo/db"; const store = new Store(); ${express("store.find(req.query.c);")}`;
    const imports = { "@repo/db": "packages/db/index.ts" };
    const result = reader({ id: 1, text: code, dialect: "ts", path: "src/a.ts", imports });
    expect("unread" in result ? [] : result.hits.filter(isBlocking)).toMatchObject([{ rule: "sql/query-text" }]);
  });
});
