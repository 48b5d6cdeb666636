const { app } = require("@azure/functions");
const functions = require("@google-cloud/functions-framework");
const { onRequest, onCall } = require("firebase-functions/v2/https");
const mysql = require("mysql2/promise");
const fs = require("fs");
const { exec } = require("child_process");

const pool = mysql.createPool(process.env.DATABASE_URL);

app.http("search", {
  methods: ["GET"],
  handler: async (request) => {
    const term = request.query.get("term");
    // wrong: CWE-89 query of an Azure request
    const [rows] = await pool.query("SELECT * FROM items WHERE name LIKE '%" + term + "%'");
    return { jsonBody: rows };
  },
});

app.http("searchSafe", {
  methods: ["GET"],
  handler: async (request) => {
    // right: CWE-89 parameter of an Azure request
    const [rows] = await pool.query("SELECT * FROM items WHERE name LIKE ?", [`%${request.query.get("term")}%`]);
    return { jsonBody: rows };
  },
});

app.http("run", {
  // right: CWE-306 key is needed
  authLevel: "function",
  methods: ["POST"],
  handler: async (request) => {
    const { command } = await request.json();
    // wrong: CWE-78 body of an Azure request
    exec(command);
    return { status: 202 };
  },
});

functions.http("render", (req, res) => {
  // wrong: CWE-79 query of a cloud function
  res.send(`<h1>${req.query.title}</h1>`);
});

functions.http("renderJson", (req, res) => {
  // right: CWE-79 JSON of a cloud function
  res.json({ title: req.query.title });
});

functions.cloudEvent("stored", (event) => {
  // wrong: CWE-22 name of a stored object
  fs.writeFileSync(`/tmp/out/${event.data.name}`, "seen");
  // right: CWE-22 name with its slashes encoded and a prefix
  fs.writeFileSync(`/tmp/seen-${encodeURIComponent(event.data.name)}`, "seen");
});

exports.page = onRequest(async (req, res) => {
  // wrong: CWE-918 body of a Firebase request
  const answer = await fetch(req.body.url);
  res.json({ status: answer.status });
});

// right: CWE-942 one origin for a Firebase request
exports.own = onRequest({ cors: ["https://app.example.com"] }, (req, res) => res.json({ name: req.query.name }));

exports.calculate = onCall((request) => {
  // wrong: CWE-94 data of a callable function
  return { value: eval(request.data.formula) };
});

exports.double = onCall((request) => {
  // right: CWE-94 a number of a callable function
  return { value: Number(request.data.value) * 2 };
});
