import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

type Environment = Readonly<Record<string, string | undefined>>;

/** The program of this package, in a checkout and in the package alike. */
const PROGRAM = fileURLToPath(new URL("../../bin/forge.mjs", import.meta.url));

/** The name of the package and of a program in it. npm has another package called `forge`, which `npx forge` would run outside of ours. */
const PACKAGE = "forge-lifecycle";

/**
 * The beginning of a command line that starts this Forge again from the folder `cwd`: `forge` or `forge-lifecycle` where the PATH leads to it,
 * `npx forge-lifecycle` where npm found it, and else `node` with its path. Texts print it, because plain `forge` can be missing or another
 * program.
 */
export function calledAs(environment: Environment = process.env, cwd = process.cwd(), program = PROGRAM): string {
  const { npm_lifecycle_event: event, npm_config_local_prefix: prefix, PATH = "" } = environment;
  // npx looks in the package that the folder belongs to; with --prefix, that is another one.
  if (event === "npx" && prefix !== undefined) {
    if (isWithin(cwd, prefix)) return `npx ${PACKAGE}`;
    // Without a package of its own, npx runs what is installed globally.
    return isWithin(program, prefix) ? `npx --prefix ${quoted(prefix)} ${PACKAGE}` : byPath(program, cwd);
  }
  // npm's scripts put the folder of the package on the PATH, and the user's shell does not have it.
  const onPath = event === undefined ? ["forge", PACKAGE].find((name) => isOnPath(PATH, name, program)) : undefined;
  return onPath ?? byPath(program, cwd);
}

/** A word of a shell command, in quotes where it needs them. */
export function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function byPath(program: string, cwd: string): string {
  return `node ${quoted(isWithin(program, cwd) ? relative(cwd, program) : program)}`;
}

/** Whether the first program `name` of the PATH is this one. A later one does not count: the shell takes the first. */
function isOnPath(path: string, name: string, program: string): boolean {
  const own = real(program);
  const first = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => real(join(folder, name)))
    .find((found) => found !== undefined);
  return first !== undefined && first === own;
}

function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between === "" || !(between.startsWith("..") || isAbsolute(between));
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
