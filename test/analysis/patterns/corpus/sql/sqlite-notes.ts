import Database from "better-sqlite3";
import { Hono } from "hono";

const db = new Database("notes.db");
const app = new Hono();
const byOwner = db.prepare("SELECT * FROM notes WHERE owner = ?");

app.get("/notes", (c) => {
  const owner = c.req.query("owner");
  // wrong: CWE-89 prepare does not help when the text is built
  const rows = db.prepare(`SELECT * FROM notes WHERE owner = '${owner}'`).all();
  return c.json(rows);
});

app.get("/notes/mine", (c) => {
  // right: CWE-89 bound parameter
  return c.json(byOwner.all(c.req.query("owner")));
});

app.post("/notes", async (c) => {
  const { title, text } = await c.req.json();
  // wrong: CWE-89 exec with body fields
  db.exec(`INSERT INTO notes (title, text) VALUES ('${title}', '${text}')`);
  return c.body(null, 201);
});

app.post("/notes/bound", async (c) => {
  const body = await c.req.json();
  // right: CWE-89 named parameters
  db.prepare("INSERT INTO notes (title, text) VALUES (@title, @text)").run({ title: body.title, text: body.text });
  return c.body(null, 201);
});

app.delete("/notes/:id", (c) => {
  const id = c.req.param("id");
  if (!/^\d+$/.test(id)) return c.text("bad id", 400);
  // right: CWE-89 anchored digits only
  db.exec("DELETE FROM notes WHERE id = " + id);
  return c.body(null, 204);
});

app.put("/notes/:id", (c) => {
  const id = c.req.param("id");
  if (!/\d+/.test(id)) return c.text("bad id", 400);
  // wrong: CWE-89 the expression has no anchors
  db.exec("UPDATE notes SET seen = 1 WHERE id = " + id);
  return c.body(null, 204);
});

app.get("/pragma", (c) => {
  // right: CWE-89 constant pragma
  return c.json(db.pragma("journal_mode", { simple: true }));
});

export default app;
