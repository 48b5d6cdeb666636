const express = require("express");
const app = express();

app.post("/xml", (req, res) => {
  const libxml = require("libxmljs");
  // wrong: CWE-611
  const doc = libxml.parseXmlString(req.body, { noent: true });
  // right: CWE-611
  const doc2 = libxml.parseXmlString(req.body);
  // wrong: CWE-611
  libxml.parseXml(req.body.xml, { noent: true, dtdload: true });
  const expat = require("node-expat");
  const parser = new expat.Parser("UTF-8");
  // wrong: CWE-611
  parser.parse(req.body.data);
  // right: CWE-611
  parser.parse("<a/>");
  const xml2json = require("xml2json");
  // wrong: CWE-611
  xml2json.toJson(req.body, { coerce: true });
  const sax = require("sax");
  // right: CWE-611
  sax.parser(true);
});

app.post("/object", (req, res) => {
  const ser = require("node-serialize");
  // wrong: CWE-502
  ser.unserialize(req.body.data);
  const funcster = require("funcster");
  // wrong: CWE-502
  funcster.deepDeserialize(req.body);
  const yaml = require("js-yaml");
  // wrong: CWE-502
  yaml.load(req.body.yaml, { schema: yaml.DEFAULT_FULL_SCHEMA });
  // right: CWE-502
  yaml.load(req.body.yaml, { schema: yaml.JSON_SCHEMA });
  const v8 = require("v8");
  // wrong: CWE-502
  v8.deserialize(req.body);
  // right: CWE-502
  JSON.parse(req.body.text);
  const cryo = require("cryo");
  // wrong: CWE-502
  cryo.parse(req.cookies.profile);
  const serializeToJs = require("serialize-to-js");
  // wrong: CWE-502
  serializeToJs.deserialize(req.body.state);
});

app.get("/search", (req, res) => {
  // wrong: CWE-1333
  const re = new RegExp(req.query.pattern);
  // right: CWE-1333
  const re2 = new RegExp("^a+$");
  // wrong: CWE-1333
  const re3 = new RegExp("^" + req.query.prefix, "i");
  // right: CWE-1333
  const re4 = new RegExp(escapeStringRegexp(req.query.prefix));
  // wrong: CWE-1333
  if (req.query.q.match(req.query.pattern)) res.end();
});

// wrong: CWE-1333
const slow = /^(a+)+$/.test(input);
// wrong: CWE-1333
const mail = /^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$/;
// right: CWE-1333
const quick = /^[a-z]+$/.test(input);

function matcher(name) {
  // wrong: CWE-1333
  return new RegExp("\\b" + name + "\\b");
}

function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === "object") {
      merge(target[key], source[key]);
    } else {
      // wrong: CWE-1321
      target[key] = source[key];
    }
  }
  return target;
}

function mergeWell(target, source) {
  for (const key of Object.keys(source)) {
    if (key === "__proto__" || key === "constructor") continue;
    // right: CWE-1321
    target[key] = source[key];
  }
  return target;
}

function setPath(object, path, value) {
  const keys = path.split(".");
  let at = object;
  for (let i = 0; i < keys.length - 1; i++) {
    // wrong: CWE-1321
    at = at[keys[i]] = at[keys[i]] || {};
  }
  at[keys[keys.length - 1]] = value;
}

app.post("/settings", (req, res) => {
  const settings = {};
  // wrong: CWE-1321
  settings[req.body.key] = req.body.value;
  // wrong: CWE-1321
  settings[req.body.group][req.body.key] = req.body.value;
  // right: CWE-1321
  settings.theme = req.body.theme;
  const _ = require("lodash");
  // wrong: CWE-1321
  _.merge(settings, req.body);
  // wrong: CWE-1321
  _.set(settings, req.body.path, req.body.value);
  // wrong: CWE-915
  Object.assign(req.user, req.body);
  // wrong: CWE-915
  User.create(req.body);
  // right: CWE-915
  User.create({ name: req.body.name, mail: req.body.mail });
  // wrong: CWE-915
  new User(req.body).save();
});

// wrong: CWE-770
app.use(express.json({ limit: "500mb" }));
// right: CWE-770
app.use(express.json({ limit: "100kb" }));
// wrong: CWE-1321
const legacy = new Buffer(req.body.size);
// wrong: CWE-200
const buffer = Buffer.allocUnsafe(10);
// right: CWE-200
const zeroed = Buffer.alloc(10);

app.use((err, req, res, next) => {
  // wrong: CWE-209
  res.status(500).send(err.stack);
  // right: CWE-209
  res.status(500).send("Something went wrong");
  // wrong: CWE-209
  res.json({ error: err.stack });
});

app.get("/log", (req, res) => {
  // wrong: CWE-117
  console.log("user " + req.query.name + " came");
  // right: CWE-117
  console.log("somebody came");
  // wrong: CWE-532
  console.log("login", req.body.password);
  // wrong: CWE-134
  console.log(`user ${req.query.name}`, extra);
  // wrong: CWE-532
  logger.info({ password: user.password });
});
