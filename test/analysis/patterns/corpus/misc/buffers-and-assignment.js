const express = require("express");
const { User } = require("./models");
const _ = require("lodash");

const app = express();
app.use(express.json());

// wrong: CWE-908 number makes old memory
const old = new Buffer(100);
// right: CWE-908 zeros
const zeros = Buffer.alloc(100);
// right: CWE-908 from a text
const text = Buffer.from("text", "utf8");

app.post("/buffer", (req, res) => {
  // wrong: CWE-908 number of the body gives memory away
  res.send(new Buffer(req.body.value));
});

app.post("/buffer-from", (req, res) => {
  // right: CWE-908 string only
  res.type("application/octet-stream").send(Buffer.from(String(req.body.value)));
});

app.get("/memory", (_req, res) => {
  // wrong: CWE-908 memory that nobody wrote
  res.end(Buffer.allocUnsafe(64));
});

app.get("/memory-filled", (_req, res) => {
  // right: CWE-908 filled at once
  res.end(Buffer.allocUnsafe(64).fill(0));
});

app.post("/allocate", (req, res) => {
  // wrong: CWE-789 size of the client
  const buffer = Buffer.alloc(Number(req.body.size));
  res.json({ length: buffer.length });
});

app.post("/allocate-limited", (req, res) => {
  // right: CWE-789 bounded size
  const buffer = Buffer.alloc(Math.min(Math.max(Number(req.body.size) || 0, 0), 1024));
  res.json({ length: buffer.length });
});

app.post("/users", async (req, res) => {
  // wrong: CWE-915 every field of the body
  const user = await User.create(req.body);
  res.status(201).json({ id: user.id });
});

app.post("/users-picked", async (req, res) => {
  // right: CWE-915 two fields
  const user = await User.create(_.pick(req.body, ["name", "email"]));
  res.status(201).json({ id: user.id });
});

app.patch("/users/:id", async (req, res) => {
  const user = await User.findByPk(req.params.id);
  // wrong: CWE-915 body over a record
  Object.assign(user, req.body);
  await user.save();
  res.sendStatus(204);
});

app.patch("/users-fields/:id", async (req, res) => {
  // right: CWE-915 list of fields
  await User.update({ name: req.body.name }, { where: { id: req.params.id } });
  res.sendStatus(204);
});

app.put("/users/:id", async (req, res) => {
  // wrong: CWE-915 spread of the body into an update
  await User.update({ ...req.body, updated: new Date() }, { where: { id: req.params.id } });
  res.sendStatus(204);
});

app.put("/users-allowed/:id", async (req, res) => {
  // right: CWE-915 fields option
  await User.update(req.body, { where: { id: req.params.id }, fields: ["name", "email"] });
  res.sendStatus(204);
});

app.get("/loop", (req, res) => {
  const items = [];
  // wrong: CWE-834 count of the client
  for (let i = 0; i < Number(req.query.count); i++) items.push(i);
  res.json(items);
});

app.get("/loop-limited", (req, res) => {
  const items = [];
  // right: CWE-834 bounded count
  for (let i = 0; i < Math.min(Number(req.query.count) || 0, 100); i++) items.push(i);
  res.json(items);
});

module.exports = { app, old, zeros, text };
