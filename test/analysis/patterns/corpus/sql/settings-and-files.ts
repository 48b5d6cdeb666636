import { Sequelize } from "sequelize";
import { createConnection } from "mysql2";
import { createPool } from "mysql2/promise";
import { DataSource } from "typeorm";
import { readFileSync } from "node:fs";
import type { Request, Response } from "express";
import { MikroORM } from "@mikro-orm/postgresql";
import { Kysely, sql } from "kysely";
import { format } from "sqlstring";
import pgFormat from "pg-format";
import { Pool } from "pg";

const pg = new Pool();
declare const kysely: Kysely<{ items: { id: number; name: string } }>;
declare const orm: MikroORM;

// wrong: CWE-89 several statements in one text
export const many = createConnection({ uri: process.env.DATABASE_URL!, multipleStatements: true });
// right: CWE-89 one statement
export const one = createConnection({ uri: process.env.DATABASE_URL!, multipleStatements: false });
// wrong: CWE-295 certificate of the server is not looked at
export const loose = new Sequelize(process.env.DATABASE_URL!, { dialectOptions: { ssl: { require: true, rejectUnauthorized: false } } });
// right: CWE-295 certificate of the server is looked at
export const strict = new Sequelize(process.env.DATABASE_URL!, { dialectOptions: { ssl: { require: true, ca: readFileSync("ca.pem", "utf8") } } });
// wrong: CWE-1188 schema is rewritten at each start
export const source = new DataSource({ type: "postgres", url: process.env.DATABASE_URL!, synchronize: true });
// right: CWE-1188 schema by migrations
export const sourceSafe = new DataSource({ type: "postgres", url: process.env.DATABASE_URL!, synchronize: false, migrationsRun: true });
// right: CWE-89 pool with names for placeholders
export const named = createPool({ uri: process.env.DATABASE_URL!, namedPlaceholders: true });

export async function kyselyRaw(req: Request, res: Response) {
  // wrong: CWE-89 sql.raw of Kysely
  const rows = await sql.raw(`select * from items where name = '${req.query.name}'`).execute(kysely);
  // right: CWE-89 tag of Kysely
  const safe = await sql`select * from items where name = ${req.query.name}`.execute(kysely);
  // wrong: CWE-89 literal of Kysely
  const literal = await sql`select * from items order by ${sql.raw(String(req.query.sort))}`.execute(kysely);
  // right: CWE-89 builder of Kysely
  const built = await kysely.selectFrom("items").selectAll().where("name", "=", String(req.query.name)).execute();
  res.json({ rows, safe, literal, built });
}

export async function mikro(req: Request, res: Response) {
  const em = orm.em.fork();
  // wrong: CWE-89 execute of MikroORM
  const rows = await em.execute("select * from items where name = '" + req.query.name + "'");
  // right: CWE-89 execute of MikroORM with values
  const safe = await em.execute("select * from items where name = ?", [req.query.name]);
  res.json({ rows, safe });
}

export async function formats(req: Request, res: Response) {
  // right: CWE-89 format of sqlstring escapes
  const text = format("select * from items where name = ?", [req.query.name]);
  // right: CWE-89 pg-format with an identifier and a literal
  const rows = await pg.query(pgFormat("select * from %I where name = %L", "items", req.query.name));
  // wrong: CWE-89 pg-format with a raw part
  const raw = await pg.query(pgFormat("select * from items order by %s", req.query.sort));
  res.json({ text, rows: rows.rows, raw: raw.rows });
}

export async function seed(req: Request, res: Response) {
  // right: CWE-89 text of a file of the program
  await pg.query(readFileSync("./seed.sql", "utf8"));
  // wrong: CWE-89 text of an uploaded file
  await pg.query(req.file!.buffer.toString("utf8"));
  res.sendStatus(204);
}
