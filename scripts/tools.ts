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

/**
 * Installs tools/ where that has not been done yet.
 * @throws Error where npm cannot, after npm has printed why
 */
export function installTools(): void {
  if (hasTools()) return;
  try {
    // All of them are for development, which settings of this machine can leave out (NODE_ENV=production).
    execFileSync("npm", ["ci", "--include=dev", "--prefix", TOOLS], { stdio: ["ignore", "ignore", "inherit"] });
  } catch (cause) {
    throw new Error(
      "npm could not install the packages of tools/, which checks and scripts use. This needs the network once: run the command again when there is one.",
      { cause },
    );
  }
}

/** Installs tools/ for a program that people start: where npm cannot, it ends with a sentence. */
export function installToolsOrExit(): void {
  try {
    installTools();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
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

if (import.meta.main) installToolsOrExit();
