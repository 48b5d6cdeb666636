interface Env {
  DB: D1Database;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);

    if (pathname === "/by-name") {
      const name = searchParams.get("name");
      // wrong: CWE-89 prepare on a template
      const { results } = await env.DB.prepare(`SELECT * FROM people WHERE name = '${name}'`).all();
      return Response.json(results);
    }

    if (pathname === "/by-id") {
      // right: CWE-89 prepare and bind
      const row = await env.DB.prepare("SELECT * FROM people WHERE id = ?1").bind(searchParams.get("id")).first();
      return Response.json(row);
    }

    if (pathname === "/import" && request.method === "POST") {
      const script = await request.text();
      // wrong: CWE-89 runs the body as a script
      await env.DB.exec(script);
      return new Response(null, { status: 204 });
    }

    if (pathname === "/setup") {
      // right: CWE-89 constant schema
      await env.DB.exec("CREATE TABLE IF NOT EXISTS people (id INTEGER PRIMARY KEY, name TEXT)");
      return new Response(null, { status: 204 });
    }

    if (pathname === "/batch") {
      const ids = searchParams.getAll("id");
      const statement = env.DB.prepare("DELETE FROM people WHERE id = ?");
      // right: CWE-89 bound statements in a batch
      await env.DB.batch(ids.map((id) => statement.bind(id)));
      return new Response(null, { status: 204 });
    }

    return new Response("not found", { status: 404 });
  },
};
