import { Pool } from "pg";
import type { FastifyInstance } from "fastify";

const pool = new Pool();

export async function reportRoutes(app: FastifyInstance) {
  app.get<{ Querystring: { from: string; to: string } }>("/reports", async (request) => {
    const { from, to } = request.query;
    // wrong: CWE-89 dates come as text
    const result = await pool.query(`SELECT * FROM reports WHERE day BETWEEN '${from}' AND '${to}'`);
    return result.rows;
  });

  app.get<{ Querystring: { from: string; to: string } }>("/reports/safe", async (request) => {
    const { from, to } = request.query;
    // right: CWE-89 numbered parameters
    const result = await pool.query("SELECT * FROM reports WHERE day BETWEEN $1 AND $2", [from, to]);
    return result.rows;
  });

  app.get<{ Params: { name: string } }>("/reports/:name", async (request) => {
    const client = await pool.connect();
    try {
      const text = "SELECT body FROM reports WHERE name = '" + request.params.name.replace("'", "''") + "'";
      // wrong: CWE-89 replace with a string doubles only the first quote
      const { rows } = await client.query(text);
      return rows;
    } finally {
      client.release();
    }
  });

  app.get<{ Params: { name: string } }>("/reports/named/:name", async (request) => {
    const query = { name: "by-name", text: "SELECT body FROM reports WHERE name = $1", values: [request.params.name] };
    // right: CWE-89 named prepared query
    const { rows } = await pool.query(query);
    return rows;
  });

  app.get<{ Querystring: { limit: string } }>("/reports/latest", async (request) => {
    const limit = Math.min(Number(request.query.limit) || 20, 100);
    // right: CWE-89 limit is a bounded number
    const { rows } = await pool.query(`SELECT * FROM reports ORDER BY day DESC LIMIT ${limit}`);
    return rows;
  });

  app.get<{ Querystring: { dir: string } }>("/reports/ordered", async (request) => {
    const direction = request.query.dir === "asc" ? "ASC" : "DESC";
    // right: CWE-89 one of two constants
    const { rows } = await pool.query(`SELECT * FROM reports ORDER BY day ${direction}`);
    return rows;
  });

  app.get<{ Querystring: { dir: string } }>("/reports/ordered-raw", async (request) => {
    const direction = request.query.dir || "ASC";
    // wrong: CWE-89 a default does not limit the value
    const { rows } = await pool.query(`SELECT * FROM reports ORDER BY day ${direction}`);
    return rows;
  });
}
