const express = require("express");
const cp = require("child_process");
const { Pool } = require("pg");
const fs = require("fs/promises");
const path = require("path");

const pool = new Pool();
const app = express();

const getName = (req) => req.query.name;
const identity = (value) => value;
const constant = () => "orders";
const wrap = (value) => ({ value, when: Date.now() });

function runQuery(text) {
  // wrong: CWE-89 called below with built text
  return pool.query(text);
}

function runConstant(text) {
  // right: CWE-89 called below with constants only
  return pool.query(text);
}

function runBound(text, values) {
  // right: CWE-89 texts are constant, values are bound
  return pool.query(text, values);
}

app.get("/a", async (req, res) => res.json(await runQuery(`SELECT * FROM users WHERE name = '${getName(req)}'`)));
app.get("/b", async (_req, res) => res.json(await runConstant("SELECT * FROM " + constant())));
app.get("/c", async (req, res) => res.json(await runBound("SELECT * FROM users WHERE name = $1", [getName(req)])));

app.get("/d", async (req, res) => {
  const { value } = wrap(identity(getName(req)));
  // wrong: CWE-78 through three functions
  cp.exec("id " + value, (err, out) => res.send(out));
});

app.get("/e", async (req, res) => {
  const { when } = wrap(getName(req));
  // right: CWE-78 the other field of the same object
  cp.exec("date -d @" + Math.floor(when / 1000), (err, out) => res.send(out));
});

app.get("/f", async (req, res) => {
  let file = "readme.md";
  if (req.query.file) file = req.query.file;
  // wrong: CWE-22 replaced on one way
  res.type("text").send(await fs.readFile(file));
});

app.get("/g", async (req, res) => {
  let file = req.query.file;
  file = "readme.md";
  // right: CWE-22 overwritten by a constant
  res.type("text").send(await fs.readFile(file));
});

app.get("/h", async (req, res) => {
  const names = [];
  names.push("a.txt");
  names.push(req.query.name);
  for (const name of names) {
    // wrong: CWE-22 item of a list
    await fs.rm(path.join("uploads", name), { force: true });
  }
  res.end();
});

app.get("/i", async (req, res) => {
  const names = await fs.readdir("uploads");
  for (const name of names) {
    // right: CWE-22 names that the file system told
    await fs.rm(path.join("uploads", name), { force: true });
  }
  res.end(String(req.query.name === undefined));
});

app.get("/j", (req, res) => {
  const parts = { host: req.query.host, count: 3 };
  const { count, ...rest } = parts;
  // wrong: CWE-78 rest of a destructured object
  cp.exec(`ping -c ${count} ${rest.host}`, (err, out) => res.send(out));
});

module.exports = app;
