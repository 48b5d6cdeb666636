import type { Condition, Sink } from "../row.ts";

const ATTACK =
  "An attacker who controls the input decides what the database does: reads other people's rows, changes or deletes them.";
const MEND = "Leave the value out of the text and hand it over as a parameter.";

/** Text in the language, or the name of such a text: keys of a store do not read like that. */
const READS_AS_SQL =
  /\b(?:select|insert|update|delete|drop|alter|create|truncate|replace|from|where|call|exec|execute|pragma|union|order|limit|join|begin|with|match|merge)\b/i;

/** `this.sql`, `queries.query`, and not the query of a request. */
const NAMED_AS_SQL = /^(?![\w.]*\b(?:req|request|ctx|c|event)\.query$)[\w.]*(?:sql|query|statement|stmt)$/i;

/** By name a database, asked something: whatever the text is called. */
const ASKS_DATABASE =
  /^[\w$.?!]*(?:\bdb|\bdatabase|\bpool|\bconn|\bconnection|Pool|Conn|\bknex|\bsequelize)[?!]?\.(?:query|execute|raw)\b/;

/** What a prepared statement is given are values. */
const PREPARED: Condition = {
  any: [{ callee: /\.prepare\(\)/ }, { argument: 0, reads: /^[{[]/ }, { text: /\.bind\(/ }],
};

/** What asks with the same names in objects of another kind. */
const NOT_MONGO: Condition = {
  any: [
    { argument: 0, reads: /=>|^function/ },
    // An object stays an object to compare with.
    { argument: 0, reads: /\{\s{0,9}\$eq\s{0,9}:/ },
    { argument: 0, option: "where", present: true },
    { argument: 1, option: "where", present: true },
    { file: /\b(?:sequelize|typeorm|knex|prisma)\b/i },
  ],
};

const OPERATOR: Sink["words"] = {
  what: "is put into a query of a document database as it comes",
  attack:
    "Instead of text it may be an object such as `{ $ne: null }`, which fits everything: a login without a password.",
  mend: "Turn it into text with `String(…)`, or check it with a schema first.",
};

const MONGO =
  "find|findOne|findOneAndUpdate|findOneAndDelete|findOneAndRemove|findOneAndReplace|updateOne|updateMany|deleteOne|deleteMany|count|countDocuments|exists|remove|update|replaceOne|distinct|where";

/** Input in the text of a query. */
export const SQL_SINKS: readonly Sink[] = [
  {
    id: "sql/query-text",
    title: "SQL injection",
    fix: { values: true },
    cwe: 89,
    danger: "sql",
    severity: "error",
    joined: true,
    calls: `mysql|mysql2|mysql2/promise|promise-mysql|pg|pg-promise|pg-pool|postgres|mssql|tedious|oracledb|sqlite3|better-sqlite3|sqlite|odbc|mariadb|@vercel/postgres|@neondatabase/serverless|@libsql/client|@planetscale/database|snowflake-sdk|cassandra-driver|clickhouse|duckdb|typeorm|sequelize|sequelize-typescript|slonik|pg-native|sqlite-async|mysql2-promise|node-firebird|ibm_db|@google-cloud/bigquery|@mikro-orm/core|@mikro-orm/postgresql|@mikro-orm/mysql|@nestjs/typeorm|bun|neo4j-driver|@cloudflare/workers-types:..query|execute|exec|run|all|get|each|prepare|batch|raw|unsafe|any|none|one|oneOrNone|manyOrNone|many|result|queryRaw
      mssql:..query|batch tedious:Request @context.env.DB.prepare|env.DB.exec|env.D1.prepare|env.D1.exec`,
    unless: PREPARED,
    wrong: `import mysql from "mysql2/promise";
const db = mysql.createPool({ uri: "" });
app.get("/", async (req, res) => {
  // wrong
  const rows = await db.query("SELECT * FROM users WHERE name = '" + req.query.name + "'");
});`,
    right: `import mysql from "mysql2/promise";
const db = mysql.createPool({ uri: "" });
app.get("/", async (req, res) => {
  const rows = await db.query("SELECT * FROM users WHERE name = ?", [req.query.name]);
});`,
    words: { what: "goes into the text of an SQL query", attack: ATTACK, mend: MEND },
  },
  {
    id: "sql/query-text",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    joined: true,
    calls:
      "*.query|execute|exec|run|all|get|each|prepare|batch|raw|unsafe|queryRaw|any|none|one|oneOrNone|many|manyOrNone|whereRaw|$queryRawUnsafe|$executeRawUnsafe",
    on: /^(?:db|database|conn|connection|pool|client|pg|pgClient|sql|sqlite|mysql|knex|sequelize|manager|entityManager|dataSource|datasource|queryRunner|prisma|trx|tx|transaction|repository|\w*[rR]epo(?:sitory)?|\w*(?:Db|DB|Pool|Conn|Connection|Client)|stmt|cursor|session|models?|em|bunSql|all|DB|D1)$/,
    when: {
      any: [
        { argument: 0, reads: READS_AS_SQL },
        {
          argument: 0,
          all: [
            { argument: 0, reads: /^\w+$/ },
            { argument: 0, reads: /sql|query|statement|stmt/i },
          ],
        },
        { argument: 0, reads: NAMED_AS_SQL },
        { text: ASKS_DATABASE },
        { callee: /(?:\bDB|D1|[sS]ql|[sS]qlite|knex|sequelize|pgClient|queryRunner|entityManager|[dD]ataSource)\./ },
      ],
    },
    unless: PREPARED,
    wrong: `export async function find(db, name) {
  return db.query(\`SELECT * FROM users WHERE name = '\${name}'\`);
}`,
    right: `export async function find(db, name) {
  return db.query("SELECT * FROM users WHERE name = $1", [name]);
}`,
    words: { what: "goes into the text of an SQL query", attack: ATTACK, mend: MEND },
  },
  {
    id: "sql/raw-text",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    unless: { argument: 0, reads: /^[{[]/ },
    calls: `sequelize:..literal|Sequelize.literal knex:..raw|whereRaw|havingRaw|orderByRaw|joinRaw|selectRaw|fromRaw|groupByRaw|andWhereRaw|orWhereRaw *.whereRaw|havingRaw|orderByRaw|joinRaw|groupByRaw|fromRaw|andWhereRaw|orWhereRaw
      *!.$queryRawUnsafe|$executeRawUnsafe sequelize-typescript:..literal kysely:sql.raw|sql.lit @prisma/client:..$queryRawUnsafe|$executeRawUnsafe|raw drizzle-orm:sql.raw|raw @mikro-orm/core:..execute objection:raw`,
    wrong: `import knex from "knex";
const k = knex({ client: "pg" });
app.get("/", (req, res) => k("users").whereRaw("name = '" + req.query.name + "'"));`,
    right: `import knex from "knex";
const k = knex({ client: "pg" });
app.get("/", (req, res) => k("users").whereRaw("name = ?", [req.query.name]));`,
    words: { what: "goes into a piece of SQL that is taken as it is", attack: ATTACK, mend: MEND },
  },
  {
    id: "sql/raw-text",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    calls: "*.literal",
    on: /^(?:db)?[sS]equelize$/,
    wrong: `export const find = (req: Request, sequelize) => sequelize.literal("name = '" + req.query.name + "'");`,
    right: `export const find = (req: Request, sequelize) => sequelize.literal("name = 'a'");`,
    words: { what: "goes into a piece of SQL that is taken as it is", attack: ATTACK, mend: MEND },
  },
  {
    id: "sql/format-text",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    calls: "pg-format: pg-format:format",
    argument: { from: 1 },
    when: { argument: 0, is: [/%s/] },
    wrong: `const format = require("pg-format");
app.get("/", (req, res) => { show(format("SELECT * FROM a ORDER BY %s", req.query.by)); });`,
    right: `const format = require("pg-format");
app.get("/", (req, res) => { show(format("SELECT * FROM a WHERE b = %L", req.query.by)); });`,
    words: {
      what: "is put into the text of an SQL query as it is (`%s`)",
      attack: ATTACK,
      mend: "Write `%L` for a value and `%I` for a name.",
    },
  },
  {
    id: "sql/builder-text",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "error",
    onlyJoined: true,
    calls:
      "typeorm|@nestjs/typeorm|@mikro-orm/core:..where|andWhere|orWhere|having|orderBy|addOrderBy *.where|andWhere|orWhere|having|orderBy",
    unless: { argument: 0, reads: /^[{[]|=>/ },
    wrong: `app.get("/", (req, res) => repo.createQueryBuilder("u").where("u.name = '" + req.query.name + "'").getMany());`,
    right: `app.get("/", (req, res) => repo.createQueryBuilder("u").where("u.name = :name", { name: req.query.name }).getMany());`,
    words: { what: "goes into the text of a condition", attack: ATTACK, mend: MEND },
  },
  {
    id: "nosql/operator",
    title: "NoSQL injection",
    cwe: 943,
    danger: "nosql",
    severity: "error",
    from: "source",
    calls: `mongodb|mongoose|mongojs|monk|@typegoose/typegoose|@nestjs/mongoose|@fastify/mongodb:..${MONGO} fastify:..collection().${MONGO} *.${MONGO}`,
    on: /^(?:[A-Z]\w*|collection|\w*(?:[cC]ollection|[mM]odel|[cC]oll)|users|accounts|sessions|find)$/,
    unless: NOT_MONGO,
    wrong: `app.post("/login", async (req, res) => {
  const user = await User.findOne({ name: req.body.name, password: req.body.password });
});`,
    right: `app.post("/login", async (req, res) => {
  const user = await User.findOne({ name: String(req.body.name), password: String(req.body.password) });
});`,
    words: OPERATOR,
  },
  {
    id: "nosql/operator",
    title: "NoSQL injection",
    cwe: 943,
    danger: "nosql",
    severity: "error",
    from: "source",
    // `db.orders`, `ordersCol`: only with an object of conditions, as nothing else speaks for such a database.
    calls: `*.${MONGO}`,
    on: /^(?!(?:collection|users|accounts|sessions|find|\w*(?:[cC]ollection|[mM]odel|[cC]oll))$)[a-z]\w*$/,
    when: { all: [{ argument: 0, reads: /^\{/ }, { text: /^[\w$.?!]*(?:\bdb\.\w+|Cols?)\.\w+\s*\(/ }] },
    unless: NOT_MONGO,
    wrong: `app.post("/", async (req, res) => { const order = await db.orders.findOne({ number: req.body.number }); });`,
    right: `app.post("/", async (req, res) => { const order = await db.orders.findOne({ number: String(req.body.number) }); });`,
    words: OPERATOR,
  },
  {
    id: "nosql/where",
    title: "NoSQL injection ($where JavaScript)",
    cwe: 943,
    danger: "code",
    severity: "error",
    joined: true,
    calls: "*!.$where *!.mapReduce mongodb|mongoose|mongojs|monk:..group *.group",
    wrong: `app.get("/", (req, res) => users.find({}).$where("this.name == '" + req.query.name + "'"));`,
    right: `app.get("/", (req, res) => users.find({ name: String(req.query.name) }));`,
    words: {
      what: "becomes JavaScript that the database runs",
      attack: "An attacker who controls the input runs code in the database and reads what they like.",
      mend: "Ask with fields and operators instead of `$where`.",
    },
  },
  {
    id: "sql/text",
    title: "SQL injection",
    cwe: 89,
    danger: "sql",
    severity: "warning",
    composes:
      /^.{0,3}\s*(?:select\s.{1,200}\sfrom\s|insert\s+into\s|update\s.{1,80}\sset\s|delete\s+from\s|(?:drop|create|alter)\s+table\s)/is,
    wrong: `app.get("/", (req, res) => { const query = "SELECT * FROM users WHERE id = " + req.query.id; ask(query); });`,
    right: `app.get("/", (req, res) => { const query = "SELECT * FROM users WHERE id = " + Number(req.query.id); ask(query); });`,
    words: {
      what: "is put together with the text of an SQL query",
      attack: ATTACK,
      mend: MEND,
    },
  },
];
