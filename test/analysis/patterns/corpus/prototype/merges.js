const express = require("express");
const _ = require("lodash");
const merge = require("merge-deep");
const defaultsDeep = require("lodash.defaultsdeep");
const $ = require("jquery");

const app = express();
app.use(express.json());
const settings = { theme: "light", limits: { items: 10 } };

function mergeOwn(target, source) {
  for (const key in source) {
    if (typeof source[key] === "object" && source[key] !== null) {
      target[key] = target[key] || {};
      mergeOwn(target[key], source[key]);
    } else {
      // wrong: CWE-1321 any key of the source, also __proto__
      target[key] = source[key];
    }
  }
  return target;
}

function mergeGuarded(target, source) {
  for (const key of Object.keys(source)) {
    if (key === "__proto__" || key === "constructor" || key === "prototype") continue;
    if (typeof source[key] === "object" && source[key] !== null) {
      target[key] = Object.hasOwn(target, key) ? target[key] : {};
      mergeGuarded(target[key], source[key]);
    } else {
      // right: CWE-1321 dangerous keys are skipped
      target[key] = source[key];
    }
  }
  return target;
}

app.post("/settings/own", (req, res) => res.json(mergeOwn({ ...settings }, req.body)));
app.post("/settings/guarded", (req, res) => res.json(mergeGuarded({ ...settings }, req.body)));

app.post("/settings/deep", (req, res) => {
  // wrong: CWE-1321 merge-deep with a body
  merge(settings, req.body);
  res.sendStatus(204);
});

app.post("/settings/path", (req, res) => {
  // wrong: CWE-1321 path and value of the client
  _.set(settings, req.body.path, req.body.value);
  res.sendStatus(204);
});

app.post("/settings/known-path", (req, res) => {
  // right: CWE-1321 constant path
  _.set(settings, "limits.items", Number(req.body.items));
  res.sendStatus(204);
});

app.post("/settings/picked", (req, res) => {
  // right: CWE-1321 only named fields are merged
  _.merge(settings, _.pick(req.body, ["theme"]));
  res.sendStatus(204);
});

app.post("/settings/defaults", (req, res) => {
  // wrong: CWE-1321 defaultsDeep of an old package
  const all = defaultsDeep({}, JSON.parse(req.body.json), settings);
  res.json(all);
});

app.post("/settings/key", (req, res) => {
  const { section, key, value } = req.body;
  // wrong: CWE-1321 two keys of the client
  settings[section][key] = value;
  res.sendStatus(204);
});

app.post("/settings/map", (req, res) => {
  const values = new Map();
  // right: CWE-1321 a Map has no prototype chain of keys
  values.set(req.body.key, req.body.value);
  res.json([...values]);
});

app.post("/settings/null", (req, res) => {
  const values = Object.create(null);
  // right: CWE-1321 object without a prototype
  values[req.body.key] = req.body.value;
  res.json(values);
});

// wrong: CWE-1321 deep extend with JSON of the location
$.extend(true, settings, JSON.parse(decodeURIComponent(location.hash.slice(1))));
