import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { revalidatePath } from "next/cache";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { exec } from "node:child_process";
import type { GetServerSideProps, NextApiRequest, NextApiResponse, NextConfig } from "next";
import { db } from "./db";

const PAGES = new Set(["about", "terms", "imprint"]);

export default async function Page({ params, searchParams }: { params: Promise<{ slug: string }>; searchParams: Promise<{ html?: string }> }) {
  const { slug } = await params;
  const { html } = await searchParams;
  // wrong: CWE-22 slug of the path
  const text = await readFile(path.join(process.cwd(), "pages", slug), "utf8");
  return (
    <main>
      <pre>{text}</pre>
      {/* wrong: CWE-79 search parameter as markup */}
      <div dangerouslySetInnerHTML={{ __html: html ?? "" }} />
      {/* right: CWE-79 search parameter as text */}
      <div>{html}</div>
    </main>
  );
}

export async function KnownPage({ params }: { params: Promise<{ slug: string }> }) {
  const { slug } = await params;
  if (!PAGES.has(slug)) notFound();
  // right: CWE-22 notFound throws for other names
  const text = await readFile(path.join(process.cwd(), "pages", `${slug}.md`), "utf8");
  return <pre>{text}</pre>;
}

export async function rename(formData: FormData) {
  "use server";
  const name = formData.get("name") as string;
  // wrong: CWE-89 form of a server action
  await db.query(`UPDATE users SET name = '${name}' WHERE id = 1`);
  revalidatePath("/");
}

export async function renameSafe(formData: FormData) {
  "use server";
  // right: CWE-89 parameter of a server action
  await db.query("UPDATE users SET name = $1 WHERE id = 1", [formData.get("name")]);
  revalidatePath("/");
}

export async function Theme() {
  const theme = (await cookies()).get("theme")?.value;
  // right: CWE-79 class name of a cookie is escaped by React
  return <body className={theme} />;
}

export async function back() {
  const from = (await headers()).get("x-from");
  // wrong: CWE-601 header as target
  redirect(from ?? "/");
}

export const getServerSideProps: GetServerSideProps = async ({ query, req }) => {
  // wrong: CWE-918 query of a page
  const answer = await fetch(query.feed as string);
  // right: CWE-918 constant with a cookie
  const user = await fetch("https://api.example.com/me", { headers: { cookie: req.headers.cookie ?? "" } });
  return { props: { feed: await answer.text(), user: await user.json() } };
};

export async function api(req: NextApiRequest, res: NextApiResponse) {
  // wrong: CWE-78 body of the pages API
  exec("convert " + req.body.file, () => res.status(204).end());
}

export async function apiBack(req: NextApiRequest, res: NextApiResponse) {
  // wrong: CWE-601 query of the pages API
  res.redirect(307, req.query.next as string);
}

export const config: NextConfig = {
  images: {
    // wrong: CWE-918 pictures of every host
    remotePatterns: [{ protocol: "https", hostname: "**" }],
    // wrong: CWE-79 drawings with scripts
    dangerouslyAllowSVG: true,
  },
  typescript: { ignoreBuildErrors: false },
};

export const configSafe: NextConfig = {
  images: {
    // right: CWE-918 pictures of one host
    remotePatterns: [{ protocol: "https", hostname: "cdn.example.com" }],
    // right: CWE-79 no drawings with scripts
    dangerouslyAllowSVG: false,
  },
  // right: CWE-200 header of the framework is off
  poweredByHeader: false,
};
