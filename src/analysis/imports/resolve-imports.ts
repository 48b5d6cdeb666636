import { takeTurns } from "../../workspace/files/turns.ts";
import type { Importable } from "./import-settings.ts";
import { resolvePython } from "./resolve-python.ts";
import { resolveScripts, type Script } from "./resolve-scripts.ts";
import type { ResolvedImports, ResolvePlace } from "./resolved-imports.ts";

/** A file with the modules that it asks for, as they are written. */
export interface Importer {
  readonly path: string;
  readonly modules: Iterable<string>;
}

const NOTHING: ResolvedImports = { targets: new Map(), lost: [] };

/** In characters; a longer one names no file. */
const LONGEST_MODULE = 300;
/** Of one file. */
const MOST_MODULES = 2_000;

/** An import takes 5 µs: some 5 ms. */
const TURN = { most: 1_000 };

/**
 * What imports mean, by the settings of the repository: of JavaScript and TypeScript in a child process, which is given the names of the
 * files and the texts of the settings, of Python here. Modules of a file whose imports break the child are lost.
 * @returns by path; what was not asked for is missing
 * @throws ForgeError `analyser_unavailable` when the child does not even start
 */
export async function resolveImports(
  importers: readonly Importer[],
  { paths, settings }: Importable,
  place: ResolvePlace,
): Promise<ReadonlyMap<string, ResolvedImports>> {
  const resolved = new Map<string, ResolvedImports>();
  const turn = takeTurns(TURN);
  const scripts: Script[] = [];
  let known: ReadonlySet<string> | undefined;
  for (const { path, modules } of importers) {
    const asked = [...modules]
      .filter((each) => each.length <= LONGEST_MODULE && !each.includes("\n"))
      .slice(0, MOST_MODULES);
    if (!isPython(path)) {
      if (asked.length > 0) scripts.push({ path, modules: asked });
      else resolved.set(path, NOTHING);
      await turn();
      continue;
    }
    known ??= new Set(paths);
    const targets = new Map<string, readonly string[]>();
    for (const module of asked) {
      const target = resolvePython(module, path, known);
      if (target !== undefined) targets.set(module, [target]);
      await turn();
    }
    resolved.set(path, { targets, lost: [] });
  }
  if (scripts.length === 0) return resolved;
  for (const [path, found] of await resolveScripts(scripts, { paths, settings }, place)) resolved.set(path, found);
  return resolved;
}

function isPython(path: string): boolean {
  return path.endsWith(".py") || path.endsWith(".pyi");
}
