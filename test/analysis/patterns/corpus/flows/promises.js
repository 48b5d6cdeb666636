import { exec } from "node:child_process";
import { createReadStream, promises as fsp } from "node:fs";
import { promisify } from "node:util";
import express from "express";
import knexFactory from "knex";
import { pipeline } from "node:stream/promises";
import sanitize from "sanitize-filename";

const knex = knexFactory({ client: "mysql2", connection: process.env.DATABASE_URL });
const sh = promisify(exec);
const app = express();

app.get("/then", (req, res, next) => {
  Promise.resolve(req.query.file)
    // wrong: CWE-22 value of a promise
    .then((file) => fsp.readFile(file, "utf8"))
    .then((text) => res.json({ text }))
    .catch(next);
});

app.get("/then-safe", (req, res, next) => {
  Promise.resolve(req.query.file)
    .then((file) => sanitize(String(file)))
    // right: CWE-22 sanitised on the way
    .then((file) => fsp.readFile(`./files/${file}`, "utf8"))
    .then((text) => res.json({ text }))
    .catch(next);
});

app.get("/all", async (req, res) => {
  const hosts = [].concat(req.query.host);
  // wrong: CWE-78 mapped to commands
  const results = await Promise.all(hosts.map((host) => sh(`dig +short ${host}`)));
  res.json(results.map((result) => result.stdout));
});

app.get("/all-numbers", async (req, res) => {
  const ports = [].concat(req.query.port).map(Number).filter(Number.isInteger);
  // right: CWE-78 mapped to whole numbers before
  const results = await Promise.all(ports.map((port) => sh(`ss -ltn sport = :${port}`)));
  res.json(results.map((result) => result.stdout));
});

app.post("/stream", async (req, res) => {
  let body = "";
  for await (const chunk of req) body += chunk;
  const { table } = JSON.parse(body);
  // wrong: CWE-89 stream that was read by hand
  res.json(await knex.raw("TRUNCATE TABLE " + table));
});

app.post("/data", (req, res) => {
  let body = "";
  req.on("data", (chunk) => {
    body += chunk;
  });
  req.on("end", () => {
    const params = new URLSearchParams(body);
    // wrong: CWE-78 events of a stream
    exec("notify-send " + params.get("text"), () => res.end());
  });
});

app.get("/pipe", async (req, res) => {
  const { name = "index" } = req.query;
  // wrong: CWE-22 default in a pattern does not limit
  await pipeline(createReadStream(`./pages/${name}.txt`), res);
});

app.get("/pipe-safe", async (req, res) => {
  const name = { index: "index", about: "about" }[String(req.query.name)] ?? "index";
  // right: CWE-22 literal of a table
  await pipeline(createReadStream(`./pages/${name}.txt`), res);
});

app.get("/catch", async (req, res) => {
  try {
    await sh("true");
  } catch {
    // wrong: CWE-78 inside of catch
    await sh(`logger ${req.query.reason}`);
  } finally {
    // right: CWE-78 constant in finally
    await sh("logger finished");
  }
  res.end();
});

app.get("/cond", async (req, res) => {
  const where = req.query.all ? "1 = 1" : "hidden = 0";
  // right: CWE-89 both branches are constant
  res.json(await knex("posts").whereRaw(where));
});

app.get("/cond-open", async (req, res) => {
  const where = req.query.where ? req.query.where : "hidden = 0";
  // wrong: CWE-89 one branch is open
  res.json(await knex("posts").whereRaw(where));
});

export default app;
