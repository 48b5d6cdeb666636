import { takeTurns } from "../../workspace/files/turns.ts";
import { languageOf } from "../languages.ts";
import type { Importable } from "./import-settings.ts";
import { PythonFiles } from "./python-files.ts";
import { moduleAsked } from "./python-modules.ts";
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
/** In characters. Each folder around a file costs as much as its path is long. */
const LONGEST_PATH = 1_024;

/**
 * What imports mean, by the settings of the repository: of JavaScript and TypeScript in a child process, which is given the names of the
 * files and the texts of the settings, of Python here. Modules of a file whose imports break the child are lost.
 * @returns by path; what was not asked for is missing
 * @throws ForgeError `analyser_unavailable` when the child does not even start
 */
export async function resolveImports(
  importers: readonly Importer[],
  importable: Importable,
  place: ResolvePlace,
): Promise<ReadonlyMap<string, ResolvedImports>> {
  const resolved = new Map<string, ResolvedImports>();
  const turn = takeTurns(TURN);
  const scripts: Script[] = [];
  const left = new Map<string, string>();
  let python: PythonFiles | undefined;
  for (const { path, modules } of importers) {
    const written = [...modules].filter((each) => !each.includes("\n"));
    const short = written.filter((each) => each.length <= LONGEST_MODULE);
    const asked = short.slice(0, MOST_MODULES);
    const rest = short[MOST_MODULES] ?? written.find((each) => each.length > LONGEST_MODULE && each.startsWith("."));
    if (rest !== undefined) left.set(path, rest);
    if (languageOf(path)?.dialect !== "py") {
      if (asked.length > 0) scripts.push({ path, modules: asked });
      else resolved.set(path, NOTHING);
      await turn();
      continue;
    }
    python ??= await PythonFiles.read(importable.paths);
    resolved.set(path, await resolveModules(asked, path, python, turn));
  }
  if (scripts.length > 0)
    for (const [path, found] of await resolveScripts(scripts, importable, place)) resolved.set(path, found);
  // What nobody looked up may be anything.
  for (const [path, module] of left) {
    const found = resolved.get(path) ?? NOTHING;
    resolved.set(path, { ...found, lost: [...found.lost, module.slice(0, LONGEST_MODULE)], isCut: true });
  }
  return resolved;
}

async function resolveModules(
  modules: readonly string[],
  importer: string,
  files: PythonFiles,
  turn: ReturnType<typeof takeTurns>,
): Promise<ResolvedImports> {
  if (importer.length > LONGEST_PATH) return { ...NOTHING, lost: modules.slice(0, 1).map(moduleAsked), isCut: true };
  const targets = new Map<string, readonly string[]>();
  const [guessed, lost] = [new Set<string>(), [] as string[]];
  for (const module of modules) {
    const { files: found, isGuess, isLost } = resolvePython(module, importer, files);
    if (found.length > 0) targets.set(module, found);
    if (isGuess) guessed.add(module);
    if (isLost) lost.push(moduleAsked(module));
    await turn(importer.length ** 2);
  }
  return { targets, lost, ...(guessed.size > 0 ? { guessed } : {}) };
}
