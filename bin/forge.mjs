#!/usr/bin/env node
// `forge` on any Node from 20 on: a checkout runs its TypeScript, the package its JavaScript, and a Node 24 comes along as a package.
import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = ["../src/main.ts", "../dist/main.js"]
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url));
const bundled = ["../node_modules/.bin/node", "../../.bin/node"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));
const isRecent = Number(process.versions.node.split(".")[0]) >= 24;
if (!main || !(isRecent || bundled)) {
  console.error(
    main
      ? `Forge needs Node 24; this is ${process.version}. Install Node 24, or run npm install again with optional packages.`
      : "This package of Forge has no program in it. Make it with npm pack, which builds it first.",
  );
  process.exit(1);
}

if (isRecent) {
  // Before the first file of TypeScript: to read one that is not compiled yet loads a compiler, which is half of the time of the help.
  await keepCompiledCode();
  // In this process: a second one would take as long to start as all of the help.
  await import(main.href);
} else {
  const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/** As `src/analysis/reader/compiled-code.ts`, which cannot be read before this is done. */
async function keepCompiledCode() {
  // Node 20 has none.
  const { enableCompileCache } = await import("node:module");
  const user = process.getuid?.();
  const folder = join(tmpdir(), `forge-compiled-${user ?? "code"}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    // Compiled code is code: in a folder of another user, or one that others may write to, they could put theirs.
    const isOwn = user === undefined || (found.uid === user && (found.mode & 0o022) === 0);
    if (found.isDirectory() && isOwn) enableCompileCache(join(folder, "server"));
  } catch {
    // Without it Forge starts more slowly, and that is all.
  }
}
