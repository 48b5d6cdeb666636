const express = require("express");
const escapeHtml = require("escape-html");
const sanitizeHtml = require("sanitize-html");
const he = require("he");
const xss = require("xss");

const app = express();

app.get("/hello", (req, res) => {
  // wrong: CWE-79 query value in markup
  res.send("<h1>Hello " + req.query.name + "</h1>");
});

app.get("/hello-escaped", (req, res) => {
  // right: CWE-79 escape-html
  res.send(`<h1>Hello ${escapeHtml(req.query.name)}</h1>`);
});

app.get("/echo", (req, res) => {
  // wrong: CWE-79 send makes text/html of a string
  res.send(req.query.message);
});

app.get("/echo-json", (req, res) => {
  // right: CWE-79 json has its own type
  res.json({ message: req.query.message });
});

app.get("/echo-text", (req, res) => {
  // right: CWE-79 plain text
  res.type("text/plain").send(req.query.message);
});

app.get("/write", (req, res) => {
  res.setHeader("Content-Type", "text/html");
  // wrong: CWE-79 written as HTML
  res.write(`<p>No results for ${req.query.q}</p>`);
  res.end();
});

app.get("/write-text", (req, res) => {
  res.setHeader("Content-Type", "text/plain; charset=utf-8");
  // right: CWE-79 content type is text
  res.write(`No results for ${req.query.q}`);
  res.end();
});

app.get("/missing/:page", (req, res) => {
  // wrong: CWE-79 path parameter in an error page
  res.status(404).send(`Page <b>${req.params.page}</b> not found`);
});

app.get("/page/:number", (req, res) => {
  const page = Number.parseInt(req.params.number, 10);
  // right: CWE-79 a number
  res.send(`<p>Page ${page}</p>`);
});

app.post("/comment", (req, res) => {
  const text = req.body.text.replace("<script>", "");
  // wrong: CWE-79 one tag taken out once
  res.send(`<div>${text}</div>`);
});

app.post("/comment-clean", (req, res) => {
  // right: CWE-79 sanitize-html
  res.send(`<div>${sanitizeHtml(req.body.text)}</div>`);
});

app.post("/comment-he", (req, res) => {
  // wrong: CWE-79 encoded and decoded again
  res.send(`<div>${he.decode(he.encode(req.body.text))}</div>`);
});

app.post("/comment-xss", (req, res) => {
  // right: CWE-79 filter of the package xss
  res.send("<div>" + xss(req.body.text) + "</div>");
});

module.exports = app;
