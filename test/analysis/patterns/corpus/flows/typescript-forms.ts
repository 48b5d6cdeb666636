import * as child from "child_process";
import fsDefault, * as fsAll from "fs";
import type { IncomingMessage, ServerResponse } from "http";
import { createServer as serve } from "http";
import url from "url";
import mysql2 = require("mysql2");

const { exec: run, execFile: runFile } = child;
const { readFileSync: read } = fsAll;
const pool = mysql2.createPool({ uri: process.env.DATABASE_URL! });

type Query = Record<string, string | undefined>;

function parse(req: IncomingMessage): Query {
  return url.parse(req.url ?? "/", true).query as Query;
}

const handlers: Record<string, (query: Query, res: ServerResponse) => void> = {
  "/run": (query, res) => {
    // wrong: CWE-78 alias of a destructured function
    run(`echo ${query.text!}`, (_err, out) => res.end(out));
  },
  "/run-file": (query, res) => {
    // right: CWE-78 alias without a shell
    runFile("echo", [query.text ?? ""], (_err, out) => res.end(out));
  },
  "/read": (query, res) => {
    // wrong: CWE-22 alias of a reading function
    res.end(read(<string>query.file));
  },
  "/read-as": (query, res) => {
    // wrong: CWE-22 two assertions are no check
    res.end(fsDefault.readFileSync(query.file as unknown as string));
  },
  "/read-default": (query, res) => {
    const part = query.part satisfies string | undefined;
    // right: CWE-22 file is constant, input chooses a line
    res.end(read("lines.txt", "utf8").split("\n")[Number(part ?? 0)]);
  },
  "/table": (query, res) => {
    const table = query["table"] ?? "orders";
    // wrong: CWE-89 bracket access and a default
    pool.query(`SELECT * FROM ${table}`, (_err, rows) => res.end(JSON.stringify(rows)));
  },
  "/table-switch": (query, res) => {
    let table: "orders" | "items";
    switch (query.table) {
      case "items":
        table = "items";
        break;
      default:
        table = "orders";
    }
    // right: CWE-89 set to constants by a switch
    pool.query(`SELECT * FROM ${table}`, (_err, rows) => res.end(JSON.stringify(rows)));
  },
  "/optional": (query, res) => {
    const command = query?.command?.trim() ?? "true";
    // wrong: CWE-78 optional chain
    child.execSync(command);
    res.end();
  },
  "/nullish": (query, res) => {
    const level = query.level === "9" ? 9 : 1;
    // right: CWE-78 numbers of a comparison
    child.execSync(`gzip -${level} out.log`);
    res.end();
  },
  "/spread": (query, res) => {
    const args = [...(query.args ?? "").split(" ")];
    // wrong: CWE-78 spread into a shell call
    child.spawnSync("bash", ["-c", ...args]);
    res.end();
  },
  "/tag": (query, res) => {
    res.setHeader("content-type", "text/html");
    const raw = String.raw`<b>${query.word}</b>`;
    // wrong: CWE-79 String.raw escapes nothing
    res.end(raw);
  },
  "/json": (query, res) => {
    res.setHeader("content-type", "application/json");
    // right: CWE-79 JSON with its type
    res.end(JSON.stringify({ word: query.word }));
  },
};

serve((req, res) => {
  const { pathname } = url.parse(req.url ?? "/");
  const handler = Object.hasOwn(handlers, pathname ?? "") ? handlers[pathname!] : undefined;
  if (handler) handler(parse(req), res);
  else res.writeHead(404).end();
}).listen(8080);
