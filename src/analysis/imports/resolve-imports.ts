import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { takeTurns } from "../../workspace/files/turns.ts";
import { removeFolder } from "../../workspace/remove-folder.ts";
import type { ChildFile, ImportsResult } from "../child/protocol.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { openReaderPlace } from "../reader/start-reader.ts";
import type { Importable } from "./import-settings.ts";
import { resolvePython } from "./resolve-python.ts";

/** A file with the modules that it asks for, as they are written. */
export interface Importer {
  readonly path: string;
  readonly modules: Iterable<string>;
}

export interface ResolvedImports {
  /** Files that a module may mean, the likeliest first. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  /** Modules that look like the repository's own, and were not found. */
  readonly lost: readonly string[];
}

export interface ResolvePlace {
  readonly scratch: string;
  readonly signal: AbortSignal;
}

const NOTHING: ResolvedImports = { targets: new Map(), lost: [] };

/** In characters; a longer one names no file. */
const LONGEST_MODULE = 300;
/** Of one file. */
const MOST_MODULES = 2_000;
const MOST_PATHS = 60_000;
/** Where there are more files, these alone are looked for. */
const LINKABLE = /\.(?:[cm]?[jt]sx?|json|vue|svelte|astro)$/;

/** An import takes 5 µs: some 5 ms. */
const TURN = { most: 1_000 };

/**
 * What imports mean, by the settings of the repository: of JavaScript and TypeScript in a child process, which is given the names of the
 * files and the texts of the settings, of Python here. A file whose imports break the child has none.
 * @returns by path; what was not asked for is missing
 * @throws ForgeError `analyser_unavailable` when the child does not even start
 */
export async function resolveImports(
  importers: readonly Importer[],
  { paths, settings }: Importable,
  { scratch, signal }: ResolvePlace,
): Promise<ReadonlyMap<string, ResolvedImports>> {
  const resolved = new Map<string, ResolvedImports>();
  const turn = takeTurns(TURN);
  const scripts: { readonly path: string; readonly modules: readonly string[] }[] = [];
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
  const listed = paths.length > MOST_PATHS ? paths.filter((path) => LINKABLE.test(path)).slice(0, MOST_PATHS) : paths;
  const requests = scripts.map(({ path, modules }, id): ChildFile => ({ id, path, text: modules.join("\n") }));
  const texts = [...settings].map(([path, text]) => [path, text.toString("utf8")] as const);
  // In the sandbox a child has a folder of its own to lay names into.
  const isBeside = "beside" in (await openReaderPlace());
  const folder = isBeside ? await mkdtemp(join(scratch, "imports-")) : undefined;
  try {
    const given = { folder, paths: listed, settings: texts };
    const { results } = await runInChild<ImportsResult>("imports", requests, { signal }, given);
    for (const [id, { found, lost }] of results) {
      const { path, modules } = scripts[id]!;
      const targets = new Map<string, readonly string[]>();
      for (const [at = -1, ...places] of found) {
        const files = places.flatMap((place) => listed[place] ?? []);
        targets.set(modules[at] ?? "", files);
        await turn();
      }
      resolved.set(path, { targets, lost: lost.flatMap((at) => modules[at] ?? []) });
    }
  } finally {
    if (folder !== undefined) await removeFolder(folder);
  }
  return resolved;
}

function isPython(path: string): boolean {
  return path.endsWith(".py") || path.endsWith(".pyi");
}
