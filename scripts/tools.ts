// `npm run tools`: installs the packages of tools/, which only contributors need, at the versions of their own lock file. Scripts that use one
// ask for it here, so nobody has to think of it. They stay out of `npm install`, which everybody waits for.
import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const TOOLS = join(import.meta.dirname, "..", "tools");

/** Where the programs of these packages are. */
export const TOOL_PROGRAMS = join(TOOLS, "node_modules", ".bin");

/** Whether tools/ is installed as its lock file says. */
export function hasTools(): boolean {
  const installed = join(TOOLS, "node_modules", ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(TOOLS, "package-lock.json")).mtimeMs;
}

/** Installs tools/ where that has not been done yet. Throws where npm cannot. */
export function installTools(): void {
  if (!hasTools()) execFileSync("npm", ["ci", "--prefix", TOOLS], { stdio: ["ignore", "ignore", "inherit"] });
}

/**
 * A package of tools/.
 * @param name as in an import
 */
export function requireTool(name: string): unknown {
  installTools();
  return createRequire(join(TOOLS, "package.json"))(name);
}

/**
 * A module of a package of tools/ that holds ES modules alone.
 * @param file its path from the folder of packages
 */
export async function importTool(file: string): Promise<unknown> {
  installTools();
  return await import(pathToFileURL(join(TOOLS, "node_modules", file)).href);
}

if (import.meta.main) installTools();
