const express = require("express");
const nodeSerialize = require("node-serialize");
const yaml = require("js-yaml");
const v8 = require("v8");
const YAML = require("yaml");
const { deserialize } = require("bson");
const cryo = require("cryo");
const funcster = require("funcster");

const app = express();
app.use(express.json());

app.get("/profile", (req, res) => {
  // wrong: CWE-502 node-serialize runs functions
  const profile = nodeSerialize.unserialize(Buffer.from(req.cookies.profile, "base64").toString());
  res.json(profile);
});

app.get("/profile-json", (req, res) => {
  // right: CWE-502 JSON has no functions
  const profile = JSON.parse(Buffer.from(req.cookies.profile, "base64").toString());
  res.json({ name: String(profile.name) });
});

app.post("/config", (req, res) => {
  // wrong: CWE-502 full schema of the extension js-yaml-js-types
  const config = yaml.load(req.body.config, { schema: yaml.DEFAULT_SCHEMA.extend(require("js-yaml-js-types").all) });
  res.json(config);
});

app.post("/config-core", (req, res) => {
  // right: CWE-502 JSON schema of js-yaml
  const config = yaml.load(req.body.config, { schema: yaml.JSON_SCHEMA });
  res.json(config);
});

app.post("/config-failsafe", (req, res) => {
  // right: CWE-502 the package yaml makes plain values
  const config = YAML.parse(req.body.config);
  res.json(config);
});

app.post("/state", (req, res) => {
  // wrong: CWE-502 v8.deserialize of the body
  const state = v8.deserialize(Buffer.from(req.body.state, "hex"));
  res.json({ size: Object.keys(state).length });
});

app.get("/state", (_req, res) => {
  // right: CWE-502 a copy of a value of our own
  const state = v8.deserialize(v8.serialize({ started: Date.now() }));
  res.json(state);
});

app.post("/eval-json", (req, res) => {
  // wrong: CWE-94 JSON by eval
  const data = eval("(" + req.body.json + ")");
  res.json(data);
});

app.post("/cryo", (req, res) => {
  // wrong: CWE-502 cryo restores functions
  const value = cryo.parse(req.body.frozen);
  res.json({ kind: typeof value });
});

app.post("/funcster", (req, res) => {
  // wrong: CWE-502 funcster restores functions
  const value = funcster.deepDeserialize(req.body);
  res.json({ kind: typeof value });
});

app.post("/bson", (req, res) => {
  // wrong: CWE-502 functions of BSON are evaluated
  const value = deserialize(req.body.document, { evalFunctions: true });
  res.json({ kind: typeof value });
});

app.post("/bson-plain", (req, res) => {
  // right: CWE-502 default of BSON
  const value = deserialize(req.body.document, { promoteValues: true });
  res.json({ kind: typeof value });
});

module.exports = app;
