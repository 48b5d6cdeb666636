import { renderToString } from "react-dom/server";
import serialize from "serialize-javascript";
import type { Request, Response } from "express";
import { App } from "./app";
import { db } from "./db";

export async function page(req: Request, res: Response) {
  const state = { user: req.query.user, items: await db.items.toArray() };
  const body = renderToString(<App state={state} />);
  // wrong: CWE-79 JSON.stringify does not escape a closing script tag
  res.type("html").send(
    `<div id="root">${body}</div><script>window.__STATE__ = ${JSON.stringify(state)}</script>`,
  );
}

export async function pageSerialized(req: Request, res: Response) {
  const state = { user: req.query.user, items: await db.items.toArray() };
  const body = renderToString(<App state={state} />);
  // right: CWE-79 serialize-javascript escapes
  res.type("html").send(
    `<div id="root">${body}</div><script>window.__STATE__ = ${serialize(state, { isJSON: true })}</script>`,
  );
}

export async function pageUnsafe(req: Request, res: Response) {
  const state = { user: req.query.user };
  // wrong: CWE-79 unsafe option of serialize-javascript
  res.type("html").send(`<script>window.__STATE__ = ${serialize(state, { unsafe: true })}</script>`);
}

export async function pageReplaced(req: Request, res: Response) {
  const state = JSON.stringify({ user: req.query.user }).replace(/</g, "\\u003c");
  // right: CWE-79 angle brackets are escaped
  res.type("html").send(`<script>window.__STATE__ = ${state}</script>`);
}

export async function attribute(req: Request, res: Response) {
  const name = String(req.query.name).replace(/</g, "&lt;").replace(/>/g, "&gt;");
  // wrong: CWE-79 quotes stay as they are inside an attribute
  res.type("html").send(`<input name="q" value="${name}">`);
}

export async function attributeReplaced(req: Request, res: Response) {
  const name = String(req.query.name).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
  // right: CWE-79 the five characters are replaced
  res.type("html").send(`<input name="q" value="${name}">`);
}

export async function link(req: Request, res: Response) {
  // right: CWE-79 encoded part of an address
  res.type("html").send(`<a href="/find?q=${encodeURIComponent(String(req.query.q)).replace(/'/g, "%27")}">again</a>`);
}

export async function head(req: Request, res: Response) {
  // wrong: CWE-79 cookie value in a page
  res.type("html").send(`<body class="${req.cookies.theme}">`);
}

export async function headKnown(req: Request, res: Response) {
  // right: CWE-79 one of two classes
  res.type("html").send(`<body class="${req.cookies.theme === "dark" ? "dark" : "light"}">`);
}
