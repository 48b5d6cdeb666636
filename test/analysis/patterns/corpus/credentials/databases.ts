import mysql from "mysql2";
import { Client, Pool } from "pg";
import mongoose from "mongoose";
import { MongoClient } from "mongodb";
import Redis from "ioredis";
import { createClient } from "redis";
import { Sequelize } from "sequelize";
import { DataSource } from "typeorm";
import knex from "knex";
import neo4j from "neo4j-driver";
import sql from "mssql";
import postgres from "postgres";

export const a = mysql.createConnection({
  host: "db.internal",
  user: "shop",
  // wrong: CWE-798 password in the source
  password: "Winter-is-long-26",
});
export const b = mysql.createPool({
  host: "db.internal",
  user: "shop",
  // right: CWE-798 password of the environment
  password: process.env.MYSQL_PASSWORD,
});
// wrong: CWE-798 password in an address
export const c = new Client({ connectionString: "postgres://shop:blue-kettle-17@db.internal:5432/shop" });
// right: CWE-798 address of the environment
export const d = new Client({ connectionString: process.env.DATABASE_URL });
// wrong: CWE-798 password of a pool
export const e = new Pool({ user: "shop", password: "not-so-secret-now", host: "db.internal" });
// right: CWE-798 function that fetches the password
export const f = new Pool({ user: "shop", password: async () => readSecret("db"), host: "db.internal" });
// wrong: CWE-798 mongoose address with a password
await mongoose.connect("mongodb+srv://shop:blue-kettle-27@cluster.internal/shop");
// right: CWE-798 mongoose address without one
await mongoose.connect("mongodb://localhost:27017/shop");
// wrong: CWE-798 credentials in the options
export const g = new MongoClient("mongodb://db.internal", { auth: { username: "shop", password: "blue-kettle-37" } });
// right: CWE-798 credentials of the environment
export const h = new MongoClient("mongodb://db.internal", { auth: { username: "shop", password: process.env.MONGO_PASSWORD! } });
// wrong: CWE-798 ioredis with a password
export const i = new Redis({ host: "cache.internal", password: "Redis.harbour41" });
// right: CWE-798 ioredis without one
export const j = new Redis({ host: "127.0.0.1", port: 6379 });
// wrong: CWE-798 redis address with a password
export const k = createClient({ url: "redis://default:blue-kettle-47@cache.internal:6379" });
// right: CWE-798 template with a variable of the environment
export const l = createClient({ url: `redis://default:${process.env.REDIS_PASSWORD}@cache.internal:6379` });
// wrong: CWE-798 third argument of Sequelize
export const m = new Sequelize("shop", "root", "Root.harbour41", { dialect: "mysql", host: "db.internal" });
// right: CWE-798 third argument of the environment
export const n = new Sequelize("shop", "app", process.env.DB_PASSWORD, { dialect: "mysql", host: "db.internal" });
// wrong: CWE-798 TypeORM source
export const o = new DataSource({ type: "postgres", username: "shop", password: "Typeorm.harbour41", entities: [] });
// right: CWE-798 TypeORM without a password
export const p = new DataSource({ type: "better-sqlite3", database: "shop.sqlite", entities: [] });
// wrong: CWE-798 knex connection
export const q = knex({ client: "pg", connection: { host: "db.internal", user: "shop", password: "Knex.harbour41" } });
// right: CWE-798 knex of the environment
export const r = knex({ client: "pg", connection: process.env.DATABASE_URL });
// wrong: CWE-798 basic auth of Neo4j
export const s = neo4j.driver("neo4j+s://graph.internal", neo4j.auth.basic("neo4j", "Graph.harbour41"));
// right: CWE-798 basic auth of the environment
export const t = neo4j.driver("neo4j+s://graph.internal", neo4j.auth.basic("neo4j", process.env.NEO4J_PASSWORD!));
const password = "Mssql.harbour41";
// wrong: CWE-798 password by a constant
export const u = await sql.connect({ server: "db.internal", user: "sa", password, database: "shop" });
// right: CWE-798 default of a field is empty
export const v = postgres({ host: "db.internal", username: "shop", password: "" || process.env.PGPASSWORD });

async function readSecret(name: string): Promise<string> {
  return (await import("node:fs/promises")).readFile(`/run/secrets/${name}`, "utf8");
}
