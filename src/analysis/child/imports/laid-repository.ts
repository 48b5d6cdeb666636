import { join, posix } from "node:path";
import { ResolverFactory } from "oxc-resolver";
import { folderOfAlias } from "../../map/package-alias.ts";
import { spread } from "../../map/spread.ts";
import { type CleanManifest, cleanManifest } from "./clean-manifest.ts";
import { type CleanTsconfig, cleanTsconfig } from "./clean-tsconfig.ts";
import { KnownFiles } from "./known-files.ts";
import { layNames, linkPackage, writeLaid } from "./lay-names.ts";
import { foldersAround } from "./module-names.ts";
import { type Aliases, readAliases } from "./read-aliases.ts";

/** A repository by the names of its files and the settings that say what an import means: a folder of ours, with nothing else in it. */
export interface LaidRepository {
  readonly root: string;
  readonly known: KnownFiles;
  /** By folder. */
  readonly manifests: ReadonlyMap<string, CleanManifest>;
  /** The nearest to the root of each name. */
  readonly packages: ReadonlyMap<string, CleanManifest>;
  /** Packages under the names that other manifests give them; undefined where these mean different ones. */
  readonly renamed: ReadonlyMap<string, CleanManifest | undefined>;
  /** Names that mean another package below a folder than elsewhere, with the name under which that one is found; by folder. */
  readonly meant: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By folder. */
  readonly tsconfigs: ReadonlyMap<string, readonly CleanTsconfig[]>;
  /** Names that settings of a folder, or what these extend, give to files; by folder. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** By the folder of the settings that have them. */
  readonly aliases: ReadonlyMap<string, readonly Aliases[]>;
}

/**
 * @param paths every file
 * @param settings texts by path
 */
export function layRepository(
  paths: readonly string[],
  settings: readonly (readonly [path: string, text: string])[],
): LaidRepository {
  const known = new KnownFiles(paths);
  const isManifest = ([path]: readonly [string, string]) => posix.basename(path) === "package.json";
  const manifests = settings.filter(isManifest).map(([path, text]) => cleanManifest(folderOf(path), text, known));
  const packages = new Map<string, CleanManifest>();
  const deepestFirst = manifests.toSorted((a, b) => depthOf(b.folder) - depthOf(a.folder));
  for (const manifest of deepestFirst) if (manifest.name !== undefined) packages.set(manifest.name, manifest);
  const others = settings.filter((each) => !isManifest(each));
  const isTsconfig = ([path]: readonly [string, string]) => path.endsWith(".json") && !isAliasData(path);
  const tsconfigs = others.filter(isTsconfig).map(([path, text]) => cleanTsconfig(path, text));
  const aliases = settings
    .filter((each) => !isTsconfig(each) || isManifest(each))
    .map(([path, text]) => [folderOf(path), readAliases(path, text)] as const)
    .filter(([, found]) => found.size > 0);

  const root = layNames(paths);
  // A look for the nearest of these ends at the root then, and does not leave it.
  const ends = ["package.json", "tsconfig.json"];
  for (const path of [...paths, ...ends]) if (ends.includes(posix.basename(path))) writeLaid(root, path, "{}");
  for (const { folder, text } of manifests) writeLaid(root, posix.join(folder, "package.json"), text);
  const aliased = aliasedPackages(manifests, packages);
  const renamed = renamedPackages(aliased, packages);
  for (const [name, own] of renamed) if (own !== undefined) packages.set(name, own);
  const meant = meantPackages(aliased, packages);
  for (const [name, { folder }] of packages) linkPackage(root, name, folder);
  const names = layTsconfigs(root, known, tsconfigs);
  return {
    ...{ root, known, packages, names, renamed, meant },
    manifests: new Map(manifests.map((each) => [each.folder, each])),
    tsconfigs: Map.groupBy(tsconfigs, ({ path }) => folderOf(path)),
    aliases: new Map(
      [...Map.groupBy(aliases, ([folder]) => folder)].map(([folder, all]) => [folder, all.map(([, each]) => each)]),
    ),
  };
}

/** A name that a manifest gives to a package of the repository. */
interface Aliased {
  /** Of the manifest. */
  readonly folder: string;
  readonly name: string;
  readonly own: CleanManifest;
}

function aliasedPackages(
  manifests: readonly CleanManifest[],
  packages: ReadonlyMap<string, CleanManifest>,
): readonly Aliased[] {
  const byFolder = new Map(manifests.map((each) => [each.folder, each]));
  return manifests.flatMap(({ folder, renamed }) =>
    [...renamed].flatMap(([name, alias]): Aliased[] => {
      // One word behind `workspace:` may be meant as the name of a package.
      const own =
        "name" in alias
          ? packages.get(alias.name)
          : (byFolder.get(within(folderOfAlias(alias, folder))) ?? (alias.fromRoot && packages.get(alias.folder)));
      return own ? [{ folder, name, own }] : [];
    }),
  );
}

function renamedPackages(
  aliased: readonly Aliased[],
  packages: ReadonlyMap<string, CleanManifest>,
): Map<string, CleanManifest | undefined> {
  const renamed = new Map<string, CleanManifest | undefined>();
  for (const { name, own } of aliased)
    if (!packages.has(name)) renamed.set(name, renamed.has(name) && renamed.get(name) !== own ? undefined : own);
  return renamed;
}

/** So many packages are given a name that means another one elsewhere. */
const MOST_MEANT = 500;

/** Adds these packages under names of ours. */
function meantPackages(
  aliased: readonly Aliased[],
  packages: Map<string, CleanManifest>,
): Map<string, Map<string, string>> {
  const meant = new Map<string, Map<string, string>>();
  const others = aliased.filter(({ name, own }) => packages.get(name) !== own).slice(0, MOST_MEANT);
  for (const [at, { folder, name, own }] of others.entries()) {
    const found = meant.get(folder) ?? new Map<string, string>();
    meant.set(folder, found.set(name, `forge-meant-${at}`));
    packages.set(`forge-meant-${at}`, own);
  }
  return meant;
}

function within(path: string): string {
  return path === "." || path === "./" ? "" : path.replace(/\/$/, "");
}

export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}

/** The manifests of the folders around a file, the nearest first. */
export function manifestsAround({ manifests }: LaidRepository, path: string): CleanManifest[] {
  return foldersAround(folderOf(path)).flatMap((folder) => manifests.get(folder) ?? []);
}

function depthOf(folder: string): number {
  return folder === "" ? 0 : folder.split("/").length;
}

/** Settings of Jest and Babel, which may be written as JSON. */
function isAliasData(path: string): boolean {
  return /^(?:jest|babel|\.babelrc)/.test(posix.basename(path));
}

/** Whether a module may be looked for at all: nothing leads out of the repository, by whatever way. */
export function staysWithin(folder: string, module: string): boolean {
  if (module === "" || module.length > 1_000 || /[\0\\:]/.test(module) || posix.isAbsolute(module)) return false;
  if (/^\.\.?(?:\/|$)/.test(module)) return !/^\.\.(?:\/|$)/.test(posix.join(folder, module));
  return !module.split("/").includes("..");
}

/** @returns names of files, by folder */
function layTsconfigs(root: string, known: KnownFiles, all: readonly CleanTsconfig[]): Map<string, Set<string>> {
  const extending = new ResolverFactory({
    ...{ extensions: [".json"], mainFiles: ["tsconfig"], mainFields: ["tsconfig"], nodePath: false },
    modules: [join(root, "node_modules")],
  });
  const byPath = new Map(all.map((each) => [each.path, each]));
  const targets = new Map(
    all.map(({ path, extended }) => {
      const folder = folderOf(path);
      const found = extended.flatMap((module) => {
        if (!staysWithin(folder, module)) return [];
        const target = extending.sync(join(root, folder), module).path?.slice(root.length + 1);
        return target !== undefined && byPath.has(target) ? [target] : [];
      });
      return [path, found] as const;
    }),
  );
  const withoutCircles = cutCircles(targets);
  for (const { path, options, files, references } of all) {
    const folder = folderOf(path);
    const relative = (target: string) => `./${posix.relative(folder, target)}`;
    const there = references.filter((each) => byPath.has(each) || byPath.has(posix.join(each, "tsconfig.json")));
    const extended = withoutCircles.get(path) ?? [];
    const text = JSON.stringify({
      ...(extended.length === 0 ? {} : { extends: extended.map(relative) }),
      compilerOptions: { ...options, allowJs: true },
      ...files,
      ...(there.length === 0 ? {} : { references: there.map((each) => ({ path: relative(each) })) }),
    });
    writeLaid(root, path, text);
    const usual = posix.join(folder, "tsconfig.json");
    if (posix.basename(path) === "jsconfig.json" && !known.has(usual)) writeLaid(root, usual, text);
  }
  const names = new Map<string, Set<string>>();
  for (const { path } of all) {
    const folder = folderOf(path);
    const found = names.get(folder) ?? new Set();
    names.set(folder, found);
    for (const each of spread([path], (one) => withoutCircles.get(one) ?? []))
      for (const name of Object.keys(byPath.get(each)?.options.paths ?? {})) found.add(name);
  }
  return names;
}

/** What leads back to where a walk came from is left out: the resolver refuses every import below such settings. */
function cutCircles(targets: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const kept = new Map<string, string[]>();
  const open = new Set<string>();
  const visit = (path: string): void => {
    if (kept.has(path)) return;
    open.add(path);
    const found: string[] = [];
    kept.set(path, found);
    for (const target of targets.get(path) ?? []) {
      if (open.has(target)) continue;
      found.push(target);
      visit(target);
    }
    open.delete(path);
  };
  for (const path of targets.keys()) visit(path);
  return kept;
}
