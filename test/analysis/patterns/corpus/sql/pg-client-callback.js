const { Client, escapeIdentifier, escapeLiteral } = require("pg");

function connect() {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  client.connect();
  return client;
}

const db = connect();

exports.byTag = function byTag(req, res) {
  const tag = req.param("tag");
  // wrong: CWE-89 tag concatenated, values stay unused
  db.query("SELECT * FROM posts WHERE tag = '" + tag + "'", [], function (err, result) {
    if (err) return res.status(500).end();
    res.send(result.rows);
  });
};

exports.byTable = function byTable(req, res) {
  const table = escapeIdentifier(req.query.table);
  // right: CWE-89 identifier escaped by pg
  db.query(`SELECT count(*) FROM ${table}`, function (err, result) {
    if (err) return res.status(500).end();
    res.send(result.rows);
  });
};

exports.byTitle = function byTitle(req, res) {
  // right: CWE-89 literal escaped by pg
  db.query("SELECT * FROM posts WHERE title = " + escapeLiteral(String(req.query.title)), (err, result) => {
    res.send(err ? [] : result.rows);
  });
};

function whereOf(filter) {
  return Object.entries(filter)
    .map(([key, value]) => `${key} = '${value}'`)
    .join(" AND ");
}

exports.filter = async function filter(req, res) {
  const where = whereOf(req.query);
  // wrong: CWE-89 helper builds the clause out of the query
  const result = await db.query(`SELECT * FROM posts WHERE ${where}`);
  res.send(result.rows);
};

exports.filterKnown = async function filterKnown(req, res) {
  const where = whereOf({ state: "published", language: "en" });
  // right: CWE-89 same helper, constants only
  const result = await db.query(`SELECT * FROM posts WHERE ${where}`);
  res.send(result.rows);
};
