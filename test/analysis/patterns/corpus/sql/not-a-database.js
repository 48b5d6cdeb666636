const express = require("express");
const { QueryClient } = require("@tanstack/query-core");
const { db } = require("./in-memory");

const app = express();
const cache = new QueryClient();

function query(text) {
  return text.toUpperCase();
}

app.get("/echo", (req, res) => {
  // right: CWE-89 local function, no database
  const text = query("select " + req.query.word);
  res.json({ text });
});

app.get("/dom", (req, res) => {
  const document = parse(req.app.get("page"));
  // right: CWE-89 selector of a document
  const node = document.querySelector(`[data-id="${CSS.escape(req.query.id)}"]`);
  res.json({ found: Boolean(node) });
});

app.get("/message", (req, res) => {
  // right: CWE-89 an English sentence that only sounds like SQL
  const message = "Please select one from the list and delete " + req.query.name;
  res.json({ message });
});

app.get("/cache", (req, res) => {
  // right: CWE-89 a key of a cache
  res.json(cache.getQueryData(["orders", req.query.id]));
});

function parse(html) {
  return new (require("jsdom").JSDOM)(html).window.document;
}

module.exports = { app, db };
