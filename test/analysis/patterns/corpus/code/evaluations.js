const express = require("express");
const vm = require("vm");
const math = require("mathjs");

const app = express();
app.use(express.json());

app.get("/calculate", (req, res) => {
  // wrong: CWE-94 eval of a query value
  const value = eval(req.query.expression);
  res.json({ value });
});

app.get("/calculate-wrapped", (req, res) => {
  const expression = req.query.expression;
  // wrong: CWE-94 indirect eval
  const value = (0, eval)("(" + expression + ")");
  res.json({ value });
});

app.get("/calculate-parsed", (req, res) => {
  const parser = math.parser();
  const x = Number(req.query.x);
  // right: CWE-94 a constant formula of a calculator
  res.json({ value: parser.evaluate(`2 * ${x} + 1`) });
});

app.post("/rule", (req, res) => {
  // wrong: CWE-94 function made from the body
  const rule = new Function("order", "return " + req.body.rule);
  res.json({ matches: rule({ total: 10 }) });
});

const RULES = {
  large: (order) => order.total > 1000,
  small: (order) => order.total < 10,
};

app.post("/rule-known", (req, res) => {
  if (!Object.hasOwn(RULES, req.body.rule)) return res.sendStatus(400);
  const rule = RULES[req.body.rule];
  // right: CWE-94 a function of a fixed table
  res.json({ matches: rule({ total: 10 }) });
});

app.post("/later", (req, res) => {
  // wrong: CWE-94 a string in setTimeout is code
  setTimeout("notify('" + req.body.user + "')", 1000);
  res.sendStatus(202);
});

app.post("/later-function", (req, res) => {
  // right: CWE-94 a function in setTimeout
  setTimeout(() => notify(req.body.user), 1000);
  res.sendStatus(202);
});

app.post("/sandbox", (req, res) => {
  // wrong: CWE-94 vm is no security boundary
  res.json({ value: vm.runInNewContext(req.body.code, { limit: 10 }, { timeout: 100 }) });
});

app.get("/global", (req, res) => {
  // right: CWE-94 constant code
  res.json({ version: vm.runInThisContext("process.version") });
});

app.get("/data", (req, res) => {
  // right: CWE-94 JSON.parse does not execute
  res.json(JSON.parse(req.query.filter));
});

function notify(user) {
  console.info("notify", JSON.stringify(user));
}

module.exports = app;
