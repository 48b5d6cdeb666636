const ejs = require("ejs");
const pug = require("pug");
const Handlebars = require("handlebars");
const nunjucks = require("nunjucks");
const Mustache = require("mustache");
const { marked } = require("marked");
const createDOMPurify = require("dompurify");
const { JSDOM } = require("jsdom");

const purify = createDOMPurify(new JSDOM("").window);

// wrong: CWE-79 escaping switched off
nunjucks.configure("views", { autoescape: false });
// right: CWE-79 escaping said aloud
nunjucks.configure("views", { autoescape: true, noCache: true });

// wrong: CWE-79 noEscape of Handlebars
exports.mail = Handlebars.compile("<p>{{name}}</p>", { noEscape: true });
// right: CWE-79 default of Handlebars
exports.mailEscaped = Handlebars.compile("<p>{{name}}</p>", { strict: true });

exports.shout = (req, res) => {
  // wrong: CWE-79 raw output tag of EJS with input
  res.send(ejs.render("<p><%- text %></p>", { text: req.query.text }));
};

exports.shoutEscaped = (req, res) => {
  // right: CWE-79 escaped tag of EJS
  res.send(ejs.render("<p><%= text %></p>", { text: req.query.text }));
};

exports.identity = (req, res) => {
  // wrong: CWE-79 escape function that does nothing
  res.send(ejs.render("<p><%= text %></p>", { text: req.query.text }, { escape: (text) => text }));
};

Handlebars.registerHelper("bold", function (text) {
  // wrong: CWE-79 SafeString around raw text
  return new Handlebars.SafeString("<b>" + text + "</b>");
});

Handlebars.registerHelper("strong", function (text) {
  // right: CWE-79 escaped before SafeString
  return new Handlebars.SafeString("<b>" + Handlebars.escapeExpression(text) + "</b>");
});

exports.pugRaw = (req, res) => {
  // wrong: CWE-79 unescaped output of pug
  res.send(pug.render("p!= text", { text: req.body.text }));
};

exports.pugEscaped = (req, res) => {
  // right: CWE-79 escaped output of pug
  res.send(pug.render("p= text", { text: req.body.text }));
};

exports.mustacheRaw = (req, res) => {
  // wrong: CWE-79 three braces
  res.send(Mustache.render("<p>{{{text}}}</p>", { text: req.body.text }));
};

exports.mustacheEscaped = (req, res) => {
  // right: CWE-79 two braces
  res.send(Mustache.render("<p>{{text}}</p>", { text: req.body.text }));
};

exports.markdown = (req, res) => {
  // wrong: CWE-79 marked keeps HTML
  res.send(marked.parse(req.body.text));
};

exports.markdownClean = (req, res) => {
  // right: CWE-79 purified after rendering
  res.send(purify.sanitize(marked.parse(req.body.text)));
};

exports.markdownFirst = (req, res) => {
  // wrong: CWE-79 purified before rendering, links survive
  res.send(marked.parse(purify.sanitize(req.body.text)));
};

// wrong: CWE-79 global escape of Mustache removed
Mustache.escape = (text) => text;
