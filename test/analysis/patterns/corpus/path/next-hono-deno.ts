import { readFileSync, existsSync } from "node:fs";
import path from "node:path";
import type { GetServerSideProps } from "next";
import { Hono } from "hono";

export const getServerSideProps: GetServerSideProps = async ({ query }) => {
  // wrong: CWE-22 query of the page
  const markdown = readFileSync(path.join(process.cwd(), "content", query.slug + ".md"), "utf8");
  return { props: { markdown } };
};

export async function getStaticProps() {
  // right: CWE-22 constant file
  const markdown = readFileSync(path.join(process.cwd(), "content", "home.md"), "utf8");
  return { props: { markdown } };
}

export async function GET(request: Request, { params }: { params: Promise<{ file: string[] }> }) {
  const { file } = await params;
  // wrong: CWE-22 catch-all segments joined
  return new Response(readFileSync(path.join("data", ...file)));
}

export const app = new Hono();

app.get("/deno", async (c) => {
  // wrong: CWE-22 Deno reads a foreign path
  return c.text(await Deno.readTextFile(`./pages/${c.req.query("page")}`));
});

app.get("/deno-encoded", async (c) => {
  const page = encodeURIComponent(c.req.query("page") ?? "home");
  // right: CWE-22 encoding leaves no slash, and an ending stands behind the dots
  return c.text(await Deno.readTextFile(`./pages/${page}.html`));
});

app.get("/deno-decoded", async (c) => {
  const page = decodeURIComponent(encodeURIComponent(c.req.query("page") ?? "home"));
  // wrong: CWE-22 encoded and decoded again
  return c.text(await Deno.readTextFile(`./pages/${page}.html`));
});

app.get("/bun", async (c) => {
  // wrong: CWE-22 Bun.file with a foreign path
  return new Response(Bun.file("./public/" + c.req.query("asset")));
});

app.get("/bun-known", async (c) => {
  const assets = new Map([["logo", "logo.svg"], ["icon", "favicon.ico"]]);
  const asset = assets.get(c.req.query("asset") ?? "");
  if (!asset) return c.notFound();
  // right: CWE-22 name out of a map
  return new Response(Bun.file(`./public/${asset}`));
});

export function has(request: { query: { name: string } }): boolean {
  const name = request.query.name;
  if (name.indexOf("..") !== -1 || name.includes("/") || name.includes("\\") || name.includes("\0")) return false;
  // right: CWE-22 no separators and no dots left
  return existsSync(path.join("avatars", name));
}
