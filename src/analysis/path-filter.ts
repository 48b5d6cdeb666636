import { type CompiledGlob, compileGlob } from "../domain/globs/compile-glob.ts";
import { takeTurns } from "../workspace/files/turns.ts";

interface Paths {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Whether the configuration wants a path to be reviewed: in `include` (or `include` is empty) and not in `exclude`. Globs work as in
 * `.gitignore`: without a slash they match at any depth, a folder's name takes everything below it, `*` also matches hidden files. A glob that
 * cannot be used, which the configuration does not accept, matches nothing. Blocks: of many, see `wantedOf`.
 */
export function isWanted(path: string, paths: Paths): boolean {
  const matches = (glob: string) => {
    const compiled = compiledOnce(glob);
    return "matches" in compiled && compiled.matches(path, { below: true });
  };
  return (paths.include.length === 0 || paths.include.some(matches)) && !paths.exclude.some(matches);
}

/** A letter of a path against the longest glob there can be, where looking at one takes a unit. */
const UNITS_OF_LETTER = 64;

/** Those of many that are wanted, in their order; others have their turn meanwhile. */
export async function wantedOf<T extends { readonly path: string }>(items: readonly T[], paths: Paths): Promise<T[]> {
  const globs = paths.include.length + paths.exclude.length;
  if (globs === 0) return [...items];
  const turn = takeTurns();
  const wanted: T[] = [];
  for (const item of items) {
    await turn(item.path.length * globs * UNITS_OF_LETTER);
    if (isWanted(item.path, paths)) wanted.push(item);
  }
  return wanted;
}

/** The globs of a few configurations; a file of 16 KB holds some hundreds at most. */
const MOST_KEPT = 500;
const kept = new Map<string, CompiledGlob>();

/** The same globs are asked about every file of a change. */
function compiledOnce(glob: string): CompiledGlob {
  const known = kept.get(glob);
  if (known) return known;
  const compiled = compileGlob(glob);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(glob, compiled);
  return compiled;
}
