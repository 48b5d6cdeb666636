import { execFile } from "node:child_process";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const cache = new Map<string, string>();

export interface Options {
  readonly folder: string;
  readonly depth?: number;
}

export async function changedFiles(options: Options): Promise<string[]> {
  // right: CWE-78 options of a caller as arguments of a fixed program
  const { stdout } = await run("git", ["diff", "--name-only", "-z", "HEAD"], { cwd: options.folder, maxBuffer: 8 << 20 });
  return stdout.split("\0").filter(Boolean);
}

export async function template(name: "welcome" | "reset"): Promise<string> {
  // right: CWE-22 one of two literals by its type, called by the program itself
  return readFile(join(here, "templates", `${name}.html`), "utf8");
}

export async function save(key: string, value: unknown): Promise<void> {
  const name = createHash("sha256").update(key).digest("hex");
  const file = join(here, "cache", name.slice(0, 2), name);
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${randomBytes(4).toString("hex")}`;
  // right: CWE-22 name is a hash of the key
  await writeFile(partial, JSON.stringify(value), { mode: 0o600 });
  await rename(partial, file);
  // right: CWE-1321 entry of a Map
  cache.set(key, file);
}

export async function clean(): Promise<number> {
  const folder = join(here, "cache");
  const names = await readdir(folder);
  for (const name of names.filter((one) => extname(one) === ".tmp")) {
    // right: CWE-22 names that the folder told
    await rm(join(folder, name), { force: true });
  }
  return names.length;
}

export function within(root: string, path: string): string | undefined {
  const full = resolve(root, path);
  return full === root || full.startsWith(root + sep) ? full : undefined;
}

export async function read(req: { query: { path: string } }): Promise<string> {
  const file = within(here, req.query.path);
  if (file === undefined) return "";
  // right: CWE-22 helper gives undefined outside of the root
  return readFile(file, "utf8");
}

export async function readLoosely(req: { query: { path: string } }): Promise<string> {
  const file = within(here, req.query.path) ?? req.query.path;
  // wrong: CWE-22 falls back to what was refused
  return readFile(file, "utf8");
}

export function sameSecret(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash("sha512").update(text).digest()) as [Buffer, Buffer];
  // right: CWE-208 digests of equal length
  return timingSafeEqual(a, b);
}

export function checksum(text: string): string {
  // right: CWE-327 name of a cached part, no secret
  return createHash("sha1").update(text).digest("hex").slice(0, 12);
}

export function tokenise(text: string): string[] {
  // right: CWE-338 tokens of a text
  const tokens = text.split(/\s+/);
  return tokens;
}
