import { fileURLToPath } from "node:url";
import { BUILT } from "./built-patterns.ts";
import { addUse, type DynamicPattern, type PatternUse, readPatterns } from "./read-patterns.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every pattern of `src/`: those that are written there, and those that are put together while Forge starts. */
export function allPatterns(): {
  readonly constant: ReadonlyMap<string, PatternUse>;
  readonly dynamic: readonly DynamicPattern[];
} {
  const { constant, dynamic } = readPatterns(ROOT, "src");
  const all = new Map(constant);
  for (const { file, patterns } of BUILT) {
    for (const { source, flags } of patterns()) addUse(all, { pattern: source, flags }, file);
  }
  return { constant: all, dynamic };
}
