const express = require("express");
const exphbs = require("express-handlebars");
const ejs = require("ejs");
const Hogan = require("hogan.js");
const doT = require("dot");
const _ = require("lodash");
const { Liquid } = require("liquidjs");
const Eta = require("eta").Eta;
const MarkdownIt = require("markdown-it");
const showdown = require("showdown");

const app = express();

// wrong: CWE-79 HTML inside of Markdown is kept
const md = new MarkdownIt({ html: true, linkify: true });
// right: CWE-79 HTML inside of Markdown is escaped
const mdSafe = new MarkdownIt({ html: false, linkify: true });
// wrong: CWE-79 escaping of Eta is off
const eta = new Eta({ views: "./views", autoEscape: false });
// right: CWE-79 escaping of Eta is on
const etaSafe = new Eta({ views: "./views", autoEscape: true });
// wrong: CWE-79 Liquid escapes nothing by default
const liquid = new Liquid({ root: "./views", extname: ".liquid" });
// right: CWE-79 Liquid escapes output
const liquidSafe = new Liquid({ root: "./views", outputEscape: "escape" });

app.engine("hbs", exphbs.engine({ extname: "hbs" }));

app.get("/profile", (req, res) => {
  // wrong: CWE-915 query becomes options and locals of the template engine
  res.render("profile", req.query);
});

app.get("/profile-fields", (req, res) => {
  // right: CWE-915 one named local
  res.render("profile", { name: String(req.query.name) });
});

app.get("/profile-spread", (req, res) => {
  // wrong: CWE-915 spread of the query between the locals
  res.render("profile", { title: "Profile", ...req.query });
});

app.get("/markdown", (req, res) => {
  // wrong: CWE-79 markup of showdown
  res.send(new showdown.Converter().makeHtml(req.query.text));
});

app.get("/markdown-it", (req, res) => {
  // right: CWE-79 markdown-it that escapes HTML
  res.send(mdSafe.render(String(req.query.text)));
});

app.get("/hogan", (req, res) => {
  // wrong: CWE-1336 Hogan template of a query
  res.send(Hogan.compile(req.query.template).render({}));
});

app.get("/hogan-data", (req, res) => {
  // right: CWE-79 Hogan escapes two braces
  res.send(Hogan.compile("<p>{{text}}</p>").render({ text: req.query.text }));
});

app.get("/dot", (req, res) => {
  // wrong: CWE-1336 doT compiles a query to code
  res.send(doT.template(req.query.template)({}));
});

app.get("/dot-raw", (req, res) => {
  // wrong: CWE-79 doT interpolates without escaping
  res.send(doT.template("<p>{{=it.text}}</p>")({ text: req.query.text }));
});

app.get("/dot-encoded", (req, res) => {
  // right: CWE-79 doT encodes with an exclamation mark
  res.send(doT.template("<p>{{!it.text}}</p>")({ text: req.query.text }));
});

app.get("/lodash", (req, res) => {
  // wrong: CWE-79 lodash interpolates without escaping
  res.send(_.template("<p><%= text %></p>")({ text: req.query.text }));
});

app.get("/lodash-escaped", (req, res) => {
  // right: CWE-79 lodash escapes with a hyphen
  res.send(_.template("<p><%- text %></p>")({ text: req.query.text }));
});

app.get("/ejs-file", async (req, res) => {
  // wrong: CWE-22 template file of a query
  res.send(await ejs.renderFile("./views/" + req.query.view, {}));
});

module.exports = { app, md, eta, etaSafe, liquid, liquidSafe };
