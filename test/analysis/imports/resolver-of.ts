import { importSettings } from "../../../src/analysis/imports/import-settings.ts";
import { type Importer, resolveImports } from "../../../src/analysis/imports/resolve-imports.ts";
import { scratchFolder } from "../change-of.ts";

const scratch = scratchFolder();
const { signal } = new AbortController();

/** Files of a repository; what is no text is written as JSON. */
export type Repository = Readonly<Record<string, unknown>>;

export function importableOf(files: Repository) {
  const paths = Object.keys(files);
  const bytes = (path: string) => {
    const content = files[path];
    return Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  };
  return { paths, settings: new Map(importSettings(paths).map((path) => [path, bytes(path)] as const)) };
}

/** What modules mean that files ask for, all of them looked up at once. */
export async function resolved(files: Repository, importers: readonly Importer[]) {
  const found = await resolveImports(importers, importableOf(files), { scratch, signal });
  return {
    targets: (path: string, module: string) => found.get(path)?.targets.get(module) ?? [],
    lost: (path: string) => found.get(path)?.lost ?? [],
    isCut: (path: string) => found.get(path)?.isCut ?? false,
  };
}
