import { matchesGlob } from "node:path";

/** A leading dot hides a name from `matchesGlob`; this character of the private use area stands for it on both sides. */
const DOT = "\u{e000}";

/**
 * Whether the configuration wants a path to be reviewed: in `include` (or `include` is empty) and not in `exclude`. Globs work as in
 * `.gitignore`: without a slash they match at any depth, a folder's name takes everything below it, `*` also matches hidden files.
 */
export function isWanted(
  path: string,
  paths: { readonly include: readonly string[]; readonly exclude: readonly string[] },
): boolean {
  const matches = (glob: string) => matchesPath(path, glob);
  return (paths.include.length === 0 || paths.include.some(matches)) && !paths.exclude.some(matches);
}

function matchesPath(path: string, glob: string): boolean {
  const trimmed = glob.replace(/^\.?\/|\/$/g, "");
  const anchored = trimmed.includes("/") || glob.startsWith("/") ? trimmed : `**/${trimmed}`;
  const pattern = anchored.replace(/(^|[/{,])\./g, `$1${DOT}`);
  const shown = path.replace(/(^|\/)\./g, `$1${DOT}`);
  return matchesGlob(shown, pattern) || matchesGlob(shown, `${pattern}/**`);
}
