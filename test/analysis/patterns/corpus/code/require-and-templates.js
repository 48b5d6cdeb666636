const express = require("express");
const ejs = require("ejs");
const pug = require("pug");
const _ = require("lodash");
const Handlebars = require("handlebars");
const nunjucks = require("nunjucks");

const router = express.Router();

router.get("/locale", (req, res) => {
  // wrong: CWE-94 require with a query value
  const texts = require("./locales/" + req.query.lang);
  res.json(texts);
});

const LOCALES = { en: require("./locales/en.json"), de: require("./locales/de.json") };

router.get("/locale-known", (req, res) => {
  // right: CWE-94 looked up among loaded modules
  res.json(req.query.lang === "de" ? LOCALES.de : LOCALES.en);
});

router.post("/preview/ejs", (req, res) => {
  // wrong: CWE-1336 template text from the client
  res.type("text/plain").send(ejs.render(req.body.template, { name: "Ada" }));
});

router.post("/preview/ejs-data", (req, res) => {
  // right: CWE-1336 template is constant, input is data
  res.send(ejs.render("<p>Hello <%= name %></p>", { name: req.body.name }));
});

router.post("/preview/pug", (req, res) => {
  // wrong: CWE-1336 compiled from a body field
  const render = pug.compile("h1 " + req.body.title);
  res.send(render());
});

router.post("/preview/pug-data", (req, res) => {
  // right: CWE-1336 title as a local
  const render = pug.compile("h1= title");
  res.send(render({ title: req.body.title }));
});

router.post("/preview/lodash", (req, res) => {
  // wrong: CWE-1336 lodash templates run code
  const render = _.template(req.body.text);
  res.type("text/plain").send(render({}));
});

router.post("/preview/handlebars", (req, res) => {
  // wrong: CWE-1336 Handlebars template of the client
  const render = Handlebars.compile(req.body.text);
  res.type("text/plain").send(render({}));
});

router.post("/preview/nunjucks", (req, res) => {
  // wrong: CWE-1336 renderString with foreign text
  res.type("text/plain").send(nunjucks.renderString(req.body.text, {}));
});

router.post("/preview/nunjucks-data", (req, res) => {
  // right: CWE-1336 constant template, escaped by default
  res.send(nunjucks.renderString("<b>{{ text }}</b>", { text: req.body.text }));
});

module.exports = router;
