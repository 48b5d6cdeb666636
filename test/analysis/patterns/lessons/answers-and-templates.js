const express = require("express");
const app = express();

app.get("/hello", (req, res) => {
  // wrong: CWE-79
  res.send("<h1>Hello " + req.query.name + "</h1>");
  // right: CWE-79
  res.send("<h1>Hello</h1>");
  // wrong: CWE-79
  res.write(`<p>${req.params.id}</p>`);
  // right: CWE-79
  res.json({ name: req.query.name });
  // wrong: CWE-79
  res.end("<html>" + req.body.text + "</html>");
  // right: CWE-79
  res.send(escapeHtml(req.query.name));
  // wrong: CWE-79
  res.status(404).send("No page " + req.originalUrl);
});

app.get("/t", (req, res) => {
  const pug = require("pug");
  // wrong: CWE-1336
  const fn = pug.compile(req.body.template);
  const ejs = require("ejs");
  // wrong: CWE-1336
  res.send(ejs.render(req.body.template, {}));
  // right: CWE-1336
  res.send(ejs.render("<p><%= name %></p>", { name: req.body.name }));
  const handlebars = require("handlebars");
  // wrong: CWE-1336
  const tpl = handlebars.compile("<p>" + req.query.t + "</p>");
  // right: CWE-1336
  const tpl2 = handlebars.compile("<p>{{t}}</p>");
  // wrong: CWE-79
  const safe = new handlebars.SafeString(req.query.t);
  const nunjucks = require("nunjucks");
  // wrong: CWE-1336
  nunjucks.renderString(req.query.t, {});
  const _ = require("lodash");
  // wrong: CWE-1336
  _.template(req.query.t)();
  const doT = require("dot");
  // wrong: CWE-1336
  doT.template(req.query.t);
});

const nunjucks = require("nunjucks");
// wrong: CWE-79
nunjucks.configure("views", { autoescape: false });
// right: CWE-79
nunjucks.configure("views", { autoescape: true });
const Handlebars = require("handlebars");
// wrong: CWE-79
const t = Handlebars.compile(source, { noEscape: true });
const mustache = require("mustache");
// wrong: CWE-79
mustache.escape = (text) => text;
const serialize = require("serialize-javascript");
// wrong: CWE-79
const state = serialize(data, { unsafe: true });
// right: CWE-79
const state2 = serialize(data, { isJSON: true });
const marked = require("marked");
// wrong: CWE-79
marked.setOptions({ sanitize: false });
const md = require("markdown-it");
// wrong: CWE-79
const m = md({ html: true });
// right: CWE-79
const m2 = md({ html: false });

exports.page = async (event) => {
  const name = event.queryStringParameters.name;
  return {
    statusCode: 200,
    headers: { "Content-Type": "text/html" },
    // wrong: CWE-79
    body: `<h1>Hello ${name}</h1>`,
  };
};

exports.json = async (event) => ({
  statusCode: 200,
  // right: CWE-79
  body: JSON.stringify({ name: event.queryStringParameters.name }),
});
