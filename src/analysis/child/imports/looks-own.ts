import { posix } from "node:path";
import type { KnownFiles } from "./known-files.ts";
import { folderOf, type LaidRepository, manifestsAround, staysWithin } from "./laid-repository.ts";
import { fits, fitsAlias, foldersAround, isRelative, nameOf } from "./module-names.ts";

/** Whether an import for which no file was found can only mean something in the repository. */
export function looksOwn(repository: LaidRepository, importer: string, module: string): boolean {
  const [plain = ""] = module.split("?");
  const folder = folderOf(importer);
  if (!staysWithin(folder, plain)) return false;
  if (isRelative(plain) || /^[@~]\//.test(plain)) return true;
  if (plain.startsWith("#"))
    return !manifestsAround(repository, importer).some(({ foreign }) => [...foreign].some((name) => fits(name, plain)));
  if (repository.packages.has(nameOf(plain)) || repository.renamed.has(nameOf(plain))) return true;
  return foldersAround(folder).some((around) => isNamed(repository, around, plain));
}

/** Whether the settings of a folder have a name for it. */
function isNamed({ names, tsconfigs, aliases, known }: LaidRepository, folder: string, module: string): boolean {
  for (const name of names.get(folder) ?? []) if (name !== "*" && fits(name, module)) return true;
  for (const { path, options } of tsconfigs.get(folder) ?? []) {
    const base = options.baseUrl && posix.join(folderOf(path), options.baseUrl, module.split("/")[0] ?? "");
    if (base && module.includes("/") && known.hasLike(`${base}/`, "")) return true;
  }
  return (aliases.get(folder) ?? []).some((all) =>
    [...all].some(([name, [to = ""]]) => fitsAlias(name, module) && isThere(known, to)),
  );
}

/** An alias may also lead to a package of others. */
function isThere(known: KnownFiles, alias: string): boolean {
  const [before = ""] = alias.split("*");
  return known.fileOf(before) !== undefined || known.hasLike(before.endsWith("/") ? before : `${before}/`, "");
}
