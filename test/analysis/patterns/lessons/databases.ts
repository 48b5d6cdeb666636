import { Sequelize, QueryTypes } from "sequelize";
import mysql from "mysql2";
import { Pool } from "pg";
import knexLib from "knex";
import sqlite3 from "sqlite3";

const sequelize = new Sequelize(process.env.DATABASE_URL);
const pool = new Pool();
const knex = knexLib({ client: "pg" });
const connection = mysql.createConnection({});

export async function byName(name: string) {
  // wrong: CWE-89
  await sequelize.query("SELECT * FROM users WHERE name = '" + name + "'");
  // right: CWE-89
  await sequelize.query("SELECT * FROM users WHERE name = ?", { replacements: [name], type: QueryTypes.SELECT });
  // wrong: CWE-89
  await sequelize.query(`SELECT * FROM users WHERE name = '${name}'`, { type: QueryTypes.SELECT });
  // wrong: CWE-89
  await User.findAll({ where: sequelize.literal(`name = '${name}'`) });
  // right: CWE-89
  await User.findAll({ where: { name } });
}

export async function withPg(id: string) {
  // wrong: CWE-89
  await pool.query(`SELECT * FROM a WHERE id = ${id}`);
  // right: CWE-89
  await pool.query("SELECT * FROM a WHERE id = $1", [id]);
  const client = await pool.connect();
  // wrong: CWE-89
  await client.query("DELETE FROM a WHERE id = " + id);
  const text = "UPDATE a SET b = 1 WHERE id = " + id;
  // wrong: CWE-89
  await client.query(text);
  // right: CWE-89
  await client.query({ text: "SELECT $1::int", values: [id] });
}

export function withMysql(req, res) {
  // wrong: CWE-89
  connection.query("SELECT * FROM a WHERE b = '" + req.body.b + "'", (e, rows) => res.json(rows));
  // right: CWE-89
  connection.query("SELECT * FROM a WHERE b = ?", [req.body.b], (e, rows) => res.json(rows));
  // wrong: CWE-89
  connection.execute(`SELECT ${req.query.column} FROM a`);
  // right: CWE-89
  connection.query("SELECT * FROM a WHERE b = " + mysql.escape(req.body.b));
}

export async function withKnex(order: string, value: string) {
  // wrong: CWE-89
  await knex.raw("SELECT * FROM a ORDER BY " + order);
  // right: CWE-89
  await knex.raw("SELECT * FROM a WHERE b = ?", [value]);
  // wrong: CWE-89
  await knex("a").whereRaw(`b = '${value}'`);
  // right: CWE-89
  await knex("a").where({ b: value });
  // wrong: CWE-89
  await knex("a").orderByRaw(order);
}

export function withSqlite(req, res) {
  const db = new sqlite3.Database("a.db");
  // wrong: CWE-89
  db.all("SELECT * FROM a WHERE b = " + req.params.b, (e, rows) => res.json(rows));
  // right: CWE-89
  db.all("SELECT * FROM a WHERE b = ?", req.params.b, (e, rows) => res.json(rows));
  // wrong: CWE-89
  db.exec(`DROP TABLE ${req.params.table}`);
}

export const handler = async (event) => {
  const sql = require("mssql");
  const request = new sql.Request();
  // wrong: CWE-89
  await request.query("SELECT * FROM a WHERE b = " + event.b);
  // right: CWE-89
  await request.input("b", event.b).query("SELECT * FROM a WHERE b = @b");
  const AWS = require("aws-sdk");
  const db = new AWS.DynamoDB.DocumentClient();
  // wrong: CWE-943
  await db.scan({ TableName: "a", FilterExpression: event.filter }).promise();
  // right: CWE-943
  await db.scan({ TableName: "a", FilterExpression: "b = :b", ExpressionAttributeValues: { ":b": event.b } }).promise();
};

export async function mongo(req, res) {
  // wrong: CWE-943
  const user = await User.findOne({ email: req.body.email, password: req.body.password });
  // right: CWE-943
  const user2 = await User.findOne({ email: String(req.body.email) });
  // wrong: CWE-943
  await db.collection("users").find({ $where: "this.name == '" + req.query.name + "'" }).toArray();
  // wrong: CWE-943
  await Product.find(req.query);
  // right: CWE-943
  await Product.find({ _id: { $eq: req.params.id } });
  // wrong: CWE-943
  await Orders.updateOne({ id: req.body.id }, { $set: { paid: true } });
}

export async function typeorm(repository, name: string) {
  // wrong: CWE-89
  await repository.query(`SELECT * FROM a WHERE name = '${name}'`);
  // wrong: CWE-89
  await repository.createQueryBuilder("a").where("a.name = '" + name + "'").getMany();
  // right: CWE-89
  await repository.createQueryBuilder("a").where("a.name = :name", { name }).getMany();
}

export async function prisma(client, id: string) {
  // wrong: CWE-89
  await prisma.$queryRawUnsafe("SELECT * FROM a WHERE id = " + id);
  // right: CWE-89
  await prisma.$queryRaw`SELECT * FROM a WHERE id = ${id}`;
  // wrong: CWE-89
  await prisma.$executeRawUnsafe(`DELETE FROM a WHERE id = '${id}'`);
}

// wrong: CWE-798
const fixed = new Sequelize("shop", "admin", "Sup3rS3cret!", { dialect: "mysql" });
// right: CWE-798
const read = new Sequelize("shop", process.env.DB_USER, process.env.DB_PASSWORD, { dialect: "mysql" });
// wrong: CWE-319
const noTls = new Sequelize("shop", user, password, { dialect: "postgres", dialectOptions: { ssl: false } });
// wrong: CWE-295
const unchecked = new Sequelize({ dialect: "postgres", dialectOptions: { ssl: { require: true, rejectUnauthorized: false } } });
// right: CWE-295
const checked = new Sequelize({ dialect: "postgres", dialectOptions: { ssl: { require: true, rejectUnauthorized: true } } });
// wrong: CWE-326
const weakTls = new Sequelize({ dialect: "mariadb", dialectOptions: { ssl: { minVersion: "TLSv1" } } });
// wrong: CWE-798
const conn = mysql.createConnection({ host: "db.example.com", user: "root", password: "hunter22" });
// wrong: CWE-798
const pgPool = new Pool({ connectionString: "postgres://admin:s3cr3tpw@db.example.com/shop" });
