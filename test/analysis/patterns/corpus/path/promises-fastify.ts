import { open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import type { FastifyInstance } from "fastify";

const BASE = "/var/lib/notes";

function inside(name: string): string {
  const file = resolve(BASE, name);
  if (!file.startsWith(`${BASE}${sep}`)) throw new Error("outside of the notes");
  return file;
}

function seemsInside(name: string): string {
  return normalize(join(BASE, name));
}

export async function notes(app: FastifyInstance) {
  app.get<{ Querystring: { name: string } }>("/note", async (request) => {
    // wrong: CWE-22 template path
    return readFile(`${BASE}/${request.query.name}`, "utf8");
  });

  app.get<{ Querystring: { name: string } }>("/note/inside", async (request) => {
    // right: CWE-22 helper throws outside
    return readFile(inside(request.query.name), "utf8");
  });

  app.get<{ Querystring: { name: string } }>("/note/normalised", async (request) => {
    // wrong: CWE-22 normalize does not confine
    return readFile(seemsInside(request.query.name), "utf8");
  });

  app.put<{ Params: { "*": string }; Body: string }>("/note/*", async (request) => {
    // wrong: CWE-22 wildcard of the path is written
    await writeFile(join(BASE, request.params["*"]), request.body);
    return { ok: true };
  });

  app.put<{ Params: { id: string }; Body: string }>("/note/by-id/:id", async (request, reply) => {
    const { id } = request.params;
    if (!/^[a-z0-9-]{1,40}$/.test(id)) return reply.code(400).send();
    // right: CWE-22 pattern has no dot and no slash
    await writeFile(join(BASE, `${id}.md`), request.body);
    return { ok: true };
  });

  app.delete<{ Body: { folder: string } }>("/folder", async (request) => {
    const folder = resolve(BASE, request.body.folder);
    const away = relative(BASE, folder);
    if (away.startsWith("..") || isAbsolute(away)) request.log.warn("outside");
    // wrong: CWE-22 checked and only logged
    await rm(folder, { recursive: true, force: true });
    return { ok: true };
  });

  app.get<{ Headers: { "x-file": string } }>("/size", async (request) => {
    // wrong: CWE-22 header as a path
    const { size } = await stat(join(BASE, request.headers["x-file"]));
    return { size };
  });

  app.get<{ Querystring: { lines: string } }>("/log", async (request) => {
    // right: CWE-22 constant path, input is a count
    const handle = await open("/var/log/notes.log");
    const all = (await handle.readFile("utf8")).split("\n");
    await handle.close();
    return all.slice(-Number(request.query.lines));
  });
}
