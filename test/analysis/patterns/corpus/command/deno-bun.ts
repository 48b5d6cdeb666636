import { Hono } from "hono";
import { $ } from "bun";

const app = new Hono();

app.get("/deno", async (c) => {
  const name = c.req.query("name") ?? "";
  // wrong: CWE-78 Deno.Command with a shell
  const output = await new Deno.Command("sh", { args: ["-c", `cat ./notes/${name}`] }).output();
  return c.body(output.stdout);
});

app.get("/deno-direct", async (c) => {
  const count = Number.parseInt(c.req.query("count") ?? "5", 10);
  // right: CWE-78 no shell and a number
  const output = await new Deno.Command("journalctl", { args: ["-n", String(count)] }).output();
  return c.body(output.stdout);
});

app.get("/bun", async (c) => {
  const name = c.req.query("name") ?? "";
  // right: CWE-78 the shell of Bun escapes its values
  const text = await $`wc -l ./notes/${name.replaceAll("/", "")}`.text();
  return c.text(text);
});

app.get("/bun-raw", async (c) => {
  const name = c.req.query("name") ?? "";
  // wrong: CWE-78 raw switches escaping off
  const text = await $`wc -l ${{ raw: name }}`.text();
  return c.text(text);
});

app.post("/bun-spawn", async (c) => {
  const { script } = await c.req.json();
  // wrong: CWE-78 bash runs the body
  const child = Bun.spawn(["bash", "-c", script]);
  return c.text(await new Response(child.stdout).text());
});

app.post("/bun-spawn-safe", async (c) => {
  const text = await c.req.text();
  // right: CWE-78 body goes to standard input of a fixed program
  const child = Bun.spawn(["sort"], { stdin: new Blob([text]) });
  return c.text(await new Response(child.stdout).text());
});

export default app;
