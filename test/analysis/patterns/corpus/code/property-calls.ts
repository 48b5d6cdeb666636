import express from "express";
import handlers from "./handlers";
import { parseExpression } from "@babel/parser";
import { Parser } from "expr-eval";
import { JSONPath } from "jsonpath-plus";
import _ from "lodash";
import staticEval from "static-eval";
import safeEval from "safe-eval";
import { NodeVM } from "vm2";
import Sandbox from "sandbox";
import Mexp from "math-expression-evaluator";

const app = express();
const api: Record<string, (value: unknown) => unknown> = { double: (value) => Number(value) * 2 };
const actions = new Map<string, (value: unknown) => unknown>(Object.entries(api));

app.post("/call", (req, res) => {
  // wrong: CWE-470 any method, also inherited ones
  res.json(api[req.body.method]!(req.body.value));
});

app.post("/call-own", (req, res) => {
  if (!Object.prototype.hasOwnProperty.call(api, req.body.method)) return res.sendStatus(404);
  // right: CWE-470 own method only
  return res.json(api[req.body.method]!(req.body.value));
});

app.post("/call-map", (req, res) => {
  const action = actions.get(req.body.method);
  // right: CWE-470 value of a Map
  return res.json(action?.(req.body.value));
});

app.post("/call-two", (req, res) => {
  // wrong: CWE-470 two names of the client lead to constructor
  res.json((handlers as never as Record<string, Record<string, (v: unknown) => unknown>>)[req.body.group]![req.body.method]!(req.body.value));
});

app.post("/invoke", (req, res) => {
  // wrong: CWE-470 invoke of lodash with a path of the client
  res.json(_.invoke(api, req.body.path, req.body.value));
});

app.post("/invoke-known", (req, res) => {
  // right: CWE-470 invoke of lodash with a constant path
  res.json(_.invoke(api, "double", req.body.value));
});

app.post("/safe-eval", (req, res) => {
  // wrong: CWE-94 safe-eval is not safe
  res.json(safeEval(req.body.code));
});

app.post("/static-eval", (req, res) => {
  // wrong: CWE-94 static-eval of foreign syntax
  res.json(staticEval(parseExpression(req.body.code) as never, { Math }));
});

app.post("/parse-only", (req, res) => {
  // right: CWE-94 syntax is looked at, nothing is run
  res.json({ kind: parseExpression(String(req.body.code)).type });
});

app.post("/sandbox", (req, res) => {
  // wrong: CWE-94 package sandbox
  new Sandbox().run(req.body.code, (output: { result: string }) => res.json(output.result));
});

app.post("/formula", (req, res) => {
  // right: CWE-94 calculator with numbers as variables
  res.json(Parser.evaluate("a * b", { a: Number(req.body.a), b: Number(req.body.b) }));
});

app.post("/mexp", (req, res) => {
  // right: CWE-94 arithmetic evaluator without functions of the language
  res.json(new Mexp().eval(String(req.body.sum), [], {}));
});

app.post("/json-path", (req, res) => {
  // wrong: CWE-94 filters of JSONPath are evaluated as code
  res.json(JSONPath({ path: req.body.path, json: { items: [] }, eval: "native" }));
});

app.post("/json-path-off", (req, res) => {
  // right: CWE-94 evaluation is off
  res.json(JSONPath({ path: String(req.body.path), json: { items: [] }, eval: false }));
});

// wrong: CWE-94 modules of Node for foreign code
export const open = new NodeVM({ require: { external: true, builtin: ["*"] } });
