import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of `forge run`. Runs belong to the user, not to the checkout, so nothing of them is written next to the code. */
export function dataFolder(given: string | undefined, { FORGE_DATA, XDG_STATE_HOME }: Environment): string {
  const named = given ?? (FORGE_DATA || undefined);
  return named === undefined ? join(XDG_STATE_HOME || join(homedir(), ".local", "state"), "forge") : resolve(named);
}

/** Addresses of the databases of `forge run`, one for each checkout of this machine; empty before the first run. */
export function runDatabases(environment: Environment): string[] {
  const checkouts = join(dataFolder(undefined, environment), "checkouts");
  if (!existsSync(checkouts)) return [];
  return readdirSync(checkouts)
    .sort()
    .map((name) => join(checkouts, name, "forge.db"))
    .filter((path) => existsSync(path))
    .map((path) => pathToFileURL(path).href);
}
