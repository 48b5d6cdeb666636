import { createClient } from "redis";
import { Client } from "@elastic/elasticsearch";
import neo4j from "neo4j-driver";
import type { Context } from "koa";

const redis = createClient({ url: process.env.REDIS_URL });
const elastic = new Client({ node: process.env.ELASTIC_URL! });
const driver = neo4j.driver(process.env.NEO4J_URL!, neo4j.auth.basic(process.env.NEO4J_USER!, process.env.NEO4J_PASSWORD!));

export async function friends(ctx: Context) {
  const session = driver.session();
  // wrong: CWE-943 Cypher text with a query value
  const result = await session.run(`MATCH (p:Person {name: '${ctx.query.name}'})-[:KNOWS]->(f) RETURN f`);
  ctx.body = result.records.map((record) => record.get("f").properties);
}

export async function friendsSafe(ctx: Context) {
  const session = driver.session();
  // right: CWE-943 Cypher parameter
  const result = await session.run("MATCH (p:Person {name: $name})-[:KNOWS]->(f) RETURN f", { name: ctx.query.name });
  ctx.body = result.records.map((record) => record.get("f").properties);
}

export async function script(ctx: Context) {
  // wrong: CWE-943 Lua text from the request
  ctx.body = await redis.eval(`return redis.call('GET', '${ctx.query.key}')`);
}

export async function scriptSafe(ctx: Context) {
  // right: CWE-943 key is an argument of a constant script
  ctx.body = await redis.eval("return redis.call('GET', KEYS[1])", { keys: [String(ctx.query.key)] });
}

export async function search(ctx: Context) {
  // wrong: CWE-943 script source from the client
  ctx.body = await elastic.search({ index: "books", query: { script: { script: { source: ctx.query.script as string } } } });
}

export async function searchSafe(ctx: Context) {
  // right: CWE-943 a match query takes plain text
  ctx.body = await elastic.search({ index: "books", query: { match: { title: String(ctx.query.title) } } });
}
