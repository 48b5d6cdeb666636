// Runs by itself after `npm install` in a checkout (`prepare`), on any Node from 20 on. It removes files of packages that nothing here can use:
// 77 MB of C headers, and what is there for another C library, which an old npm installs too (77 MB). Without it, everything works the same.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));

/** The folders of all packages at the top. */
function packages() {
  return foldersIn(PACKAGES).flatMap((name) =>
    name.startsWith("@") ? foldersIn(join(PACKAGES, name)).map((inner) => join(name, inner)) : [name],
  );
}

function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** The C libraries that a package is for, of which an old npm knows nothing; libSQL's drivers have theirs in their name alone. */
function librariesOf(name) {
  const driver = /^@libsql[\\/]linux-.*-(gnu|musl)$/.exec(name)?.[1];
  if (driver !== undefined) return [driver === "gnu" ? "glibc" : driver];
  try {
    return [JSON.parse(readFileSync(join(PACKAGES, name, "package.json"), "utf8")).libc ?? []].flat();
  } catch {
    return [];
  }
}

process.report.excludeNetwork = true;
const library = process.report.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc";

for (const name of packages()) {
  const folder = join(PACKAGES, name);
  // Headers to compile C++ for Node. No package here is compiled.
  if (/^node-(linux|darwin|bin)-/.test(name)) rmSync(join(folder, "include"), { recursive: true, force: true });
  const libraries = process.platform === "linux" ? librariesOf(name) : [];
  if (libraries.length === 0 || libraries.includes(library)) continue;
  // The folder and its package.json stay: npm would install a missing package again each time.
  for (const entry of readdirSync(folder))
    if (entry !== "package.json") rmSync(join(folder, entry), { recursive: true, force: true });
}
