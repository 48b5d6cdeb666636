import Koa from "koa";
import Router from "@koa/router";
import { Hono } from "hono";
import { html, raw } from "hono/html";
import fastify from "fastify";
import escape from "lodash/escape.js";

const router = new Router();

router.get("/hi", (ctx) => {
  ctx.type = "html";
  // wrong: CWE-79 body of Koa
  ctx.body = `<h1>${ctx.query.name}</h1>`;
});

router.get("/hi-escaped", (ctx) => {
  ctx.type = "html";
  // right: CWE-79 escape of lodash
  ctx.body = `<h1>${escape(String(ctx.query.name))}</h1>`;
});

router.get("/hi-object", (ctx) => {
  // right: CWE-79 an object becomes JSON
  ctx.body = { name: ctx.query.name };
});

export const koa = new Koa().use(router.routes());

export const hono = new Hono();

// wrong: CWE-79 html method with a template
hono.get("/hi", (c) => c.html(`<h1>${c.req.query("name")}</h1>`));
// right: CWE-79 html tag escapes
hono.get("/hi-tag", (c) => c.html(html`<h1>${c.req.query("name")}</h1>`));
// wrong: CWE-79 raw inside of the tag
hono.get("/hi-raw", (c) => c.html(html`<h1>${raw(c.req.query("name") ?? "")}</h1>`));
// right: CWE-79 text method
hono.get("/hi-text", (c) => c.text(`hello ${c.req.query("name")}`));

const app = fastify();

app.get<{ Querystring: { q: string } }>("/search", async (request, reply) => {
  // wrong: CWE-79 type text/html with input
  return reply.type("text/html").send("<p>" + request.query.q + "</p>");
});

app.get<{ Querystring: { q: string } }>("/search-json", async (request) => {
  // right: CWE-79 returned object
  return { q: request.query.q };
});

app.get<{ Querystring: { q: string } }>("/search-header", async (request, reply) => {
  reply.header("content-type", "text/html; charset=utf-8");
  const words = request.query.q.split(" ").map((word) => `<li>${word}</li>`);
  // wrong: CWE-79 list items of words
  return reply.send(`<ul>${words.join("")}</ul>`);
});

app.get<{ Querystring: { q: string } }>("/search-list", async (request, reply) => {
  const words = request.query.q.split(" ").map((word) => `<li>${escape(word)}</li>`);
  // right: CWE-79 every item is escaped
  return reply.type("text/html").send(`<ul>${words.join("")}</ul>`);
});

export default app;
