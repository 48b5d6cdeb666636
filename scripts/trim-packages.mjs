// Runs by itself after `npm install` in a checkout (`prepare`), on any Node from 20 on. It removes files of packages that nothing here can use:
// 77 MB of C headers, and a database driver for another C library. Without it, everything works the same.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../node_modules", import.meta.url));

/** The folders of packages beneath `folder` whose name begins with `start`. */
function packagesAt(folder, start) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => join(folder, name));
}

// Headers to compile C++ for Node. No package here is compiled.
for (const node of ["node-linux-", "node-darwin-", "node-bin-"].flatMap((start) => packagesAt(PACKAGES, start)))
  rmSync(join(node, "include"), { recursive: true, force: true });

// libSQL names no C library for its drivers, so npm installs both. The folder stays: npm would install a missing package again each time.
process.report.excludeNetwork = true;
const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
const other = isGlibc ? "musl" : "gnu";
for (const driver of packagesAt(join(PACKAGES, "@libsql"), "linux-"))
  if (driver.endsWith(`-${other}`)) rmSync(join(driver, "index.node"), { force: true });
