import type { AnalyserContext } from "../analyser.ts";
import { readNames } from "../linked-files.ts";
import type { SourceFile } from "../source-file.ts";
import { aliasTest } from "./may-be-own.ts";
import { resolveImports } from "./resolve-imports.ts";
import { modulesIn } from "./script-modules.ts";

/** Files of a change by the modules that ask for them, where only the settings of the project say which file is meant; by importer. */
export type AliasImports = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** What changed files import of each other by other names than their paths. */
export async function aliasImports(
  files: readonly SourceFile[],
  { tree, scratch, signal }: Pick<AnalyserContext, "tree" | "scratch" | "signal">,
): Promise<AliasImports> {
  if (tree === undefined || files.length < 2) return new Map();
  const { settings } = await readNames(files, tree, signal);
  const mayBeAlias = aliasTest(settings);
  const asked = files.map(({ path, text }) => ({
    path,
    modules: [...modulesIn(text)].filter(mayBeAlias),
  }));
  // Only these files count: no others have to be told apart.
  const paths = [...new Set([...settings.keys(), ...files.map(({ path }) => path)])];
  const resolved = await resolveImports(asked, { paths, settings }, { scratch, signal });
  const changed = new Set(files.map(({ path }) => path));
  const found = [...resolved].flatMap(([path, { targets }]) => {
    const known = [...targets].flatMap(([module, [target = ""]]) => (changed.has(target) ? [[module, target]] : []));
    return known.length === 0 ? [] : [[path, Object.fromEntries(known) as Record<string, string>] as const];
  });
  return new Map(found);
}
