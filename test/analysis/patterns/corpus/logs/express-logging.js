const express = require("express");
const winston = require("winston");
const pino = require("pino");
const fs = require("fs");

const plain = winston.createLogger({ format: winston.format.simple(), transports: [new winston.transports.Console()] });
const log = pino();
const app = express();
app.use(express.json());

app.post("/login", (req, res) => {
  const { user, password } = req.body;
  // wrong: CWE-532 password in a log
  console.log("login of", user, "with", password);
  // right: CWE-532 length instead of a name or password
  console.log("login attempt, %d fields", Object.keys(req.body).length);
  res.sendStatus(204);
});

app.post("/token", (req, res) => {
  // wrong: CWE-532 bearer header in a log
  log.info({ authorization: req.headers.authorization }, "token exchange");
  // right: CWE-532 says only whether there is one
  log.info({ authorised: Boolean(req.headers.authorization) }, "token exchange");
  res.sendStatus(204);
});

app.post("/register", (req, res) => {
  // wrong: CWE-532 whole body of a registration
  plain.info("register " + JSON.stringify(req.body));
  res.sendStatus(201);
});

app.post("/card", (req, res) => {
  const { cardNumber, cvv } = req.body;
  // wrong: CWE-532 card number in a log
  plain.debug(`charging ${cardNumber} (${cvv})`);
  // right: CWE-532 last four digits
  plain.debug(`charging card ending in ${String(cardNumber).slice(-4).replace(/\D/g, "")}`);
  res.sendStatus(202);
});

app.get("/search", (req, res) => {
  // wrong: CWE-117 line breaks of the query forge entries
  console.info("search for " + req.query.q);
  // right: CWE-117 JSON escapes line breaks
  console.info("search for " + JSON.stringify(req.query.q));
  // right: CWE-117 structured logger writes JSON
  log.info({ q: req.query.q }, "search");
  res.json([]);
});

app.get("/visit", (req, res) => {
  // wrong: CWE-117 header appended to a log file
  fs.appendFileSync("visits.log", `${new Date().toISOString()} ${req.headers["user-agent"]}\n`);
  // right: CWE-117 line breaks are taken out
  fs.appendFileSync("visits.log", `${String(req.headers["user-agent"]).replace(/[\r\n]/g, " ")}\n`);
  res.sendStatus(204);
});

app.get("/item/:id", (req, res) => {
  // wrong: CWE-117 decoded path parameter
  plain.warn("missing item " + req.params.id);
  // right: CWE-117 a number
  plain.warn("missing item " + Number(req.params.id));
  res.sendStatus(404);
});

app.get("/format", (req, res) => {
  // wrong: CWE-134 input is the format string
  console.log(req.query.message, process.version);
  // right: CWE-134 constant format, input encoded
  console.log("%s %s", encodeURIComponent(req.query.message), process.version);
  res.sendStatus(204);
});

module.exports = app;
