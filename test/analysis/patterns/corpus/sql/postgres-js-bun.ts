import postgres from "postgres";
import { SQL } from "bun";

const sql = postgres(process.env.DATABASE_URL!);
const bunSql = new SQL(process.env.DATABASE_URL!);

Bun.serve({
  port: 3000,
  async fetch(request) {
    const url = new URL(request.url);
    const city = url.searchParams.get("city");

    switch (url.pathname) {
      case "/tagged":
        // right: CWE-89 tag of postgres.js
        return Response.json(await sql`select * from shops where city = ${city}`);
      case "/unsafe":
        // wrong: CWE-89 sql.unsafe with a template
        return Response.json(await sql.unsafe(`select * from shops where city = '${city}'`));
      case "/unsafe-bound":
        // right: CWE-89 unsafe text, bound value
        return Response.json(await sql.unsafe("select * from shops where city = $1", [city]));
      case "/bun":
        // right: CWE-89 tag of Bun
        return Response.json(await bunSql`select * from shops where city = ${city}`);
      case "/bun-unsafe":
        // wrong: CWE-89 unsafe of Bun
        return Response.json(await bunSql.unsafe("select * from shops where city = '" + city + "'"));
      default:
        return new Response("not found", { status: 404 });
    }
  },
});
