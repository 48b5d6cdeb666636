const libxmljs = require("libxmljs");
const libxmljs2 = require("libxmljs2");
const xml2js = require("xml2js");
const express = require("express");
const { XMLParser } = require("fast-xml-parser");
const { DOMParser } = require("@xmldom/xmldom");
const expat = require("node-expat");

const app = express();
app.use(express.text({ type: "application/xml", limit: "200kb" }));

app.post("/orders", (req, res) => {
  // wrong: CWE-611 entities are replaced
  const doc = libxmljs.parseXml(req.body, { noent: true });
  res.send(doc.get("//id").text());
});

app.post("/orders-plain", (req, res) => {
  // right: CWE-611 default of libxmljs keeps entities
  const doc = libxmljs.parseXml(req.body);
  res.type("text").send(doc.get("//id").text());
});

app.post("/orders-off", (req, res) => {
  // right: CWE-611 entities and network are off
  const doc = libxmljs.parseXml(req.body, { noent: false, nonet: true });
  res.type("text").send(doc.get("//id").text());
});

app.post("/orders-string", (req, res) => {
  // wrong: CWE-611 alias of the second package
  const doc = libxmljs2.parseXmlString(req.body, { noent: true, noblanks: true });
  res.type("text").send(doc.root().name());
});

app.post("/orders-dtd", (req, res) => {
  // wrong: CWE-611 external DTD is loaded
  const doc = libxmljs2.parseXml(req.body, { dtdload: true, noent: true });
  res.type("text").send(doc.root().name());
});

app.post("/orders-xml2js", (req, res, next) => {
  // right: CWE-611 xml2js knows no external entities
  xml2js.parseString(req.body, { explicitArray: false }, (err, result) => (err ? next(err) : res.json(result)));
});

app.post("/orders-fast", (req, res) => {
  // right: CWE-611 fast-xml-parser without entities
  const parser = new XMLParser({ ignoreAttributes: false, processEntities: false });
  res.json(parser.parse(req.body));
});

app.post("/orders-dom", (req, res) => {
  // right: CWE-611 xmldom loads nothing
  const doc = new DOMParser().parseFromString(req.body, "text/xml");
  res.json({ root: doc.documentElement.nodeName });
});

app.post("/orders-expat", (req, res) => {
  const parser = new expat.Parser("UTF-8");
  // right: CWE-611 only counts elements
  parser.on("startElement", (name) => console.debug(name.length));
  parser.write(req.body);
  res.sendStatus(204);
});

const options = { noent: true, nonet: false };

app.post("/orders-variable", (req, res) => {
  // wrong: CWE-611 options stand in a variable
  const doc = libxmljs.parseXml(req.body, options);
  res.type("text").send(doc.root().name());
});

module.exports = app;
