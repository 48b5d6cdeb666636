import { join, posix } from "node:path";
import { type NapiResolveOptions, ResolverFactory } from "oxc-resolver";
import type { ChildFile, ChildRequest, ImportsResult } from "../protocol.ts";
import type { CleanManifest } from "./clean-manifest.ts";
import { ENDINGS, SOURCE_ENDINGS, sourcesOf } from "./known-files.ts";
import { folderOf, type LaidRepository, layRepository, manifestsAround, staysWithin } from "./laid-repository.ts";

import { looksOwn } from "./looks-own.ts";
import { fits, fitsAlias, foldersAround, isRelative, mayMean, nameOf } from "./module-names.ts";

/** What bundlers and Node take, in the order in which a manifest has them. */
const CONDITIONS = ["import", "require", "module", "node", "types"];
/** Manifests that tell more apart are not looked at under each of them. */
const MOST_CONDITIONS = 12;

/**
 * A reader of what files import: the modules that each names, one a line, looked up in the repository by oxc-resolver. Where several answers are
 * possible (several conditions, different aliases of the test runner and the compiler) all are given, the likeliest first.
 */
export function resolveFiles({ paths = [], settings = [] }: ChildRequest): (file: ChildFile) => ImportsResult {
  let lookUp: LookUp | undefined;
  return ({ path = "", text }) => {
    // Not before the first file: what breaks down here is then laid to a file.
    lookUp ??= new LookUp(layRepository(paths, settings));
    const found: number[][] = [];
    const lost: number[] = [];
    for (const [at, module] of text.split("\n").entries()) {
      const targets = lookUp.targetsOf(path, module);
      if (targets.length > 0) found.push([at, ...targets]);
      else if (looksOwn(lookUp.repository, path, module)) lost.push(at);
    }
    return { found, lost };
  };
}

class LookUp {
  readonly repository: LaidRepository;
  readonly #options: NapiResolveOptions;
  /** By the settings of the project around a file, and by nothing. */
  readonly #byProject: ResolverFactory;
  readonly #plain: ResolverFactory;
  readonly #underConditions: readonly ResolverFactory[];
  readonly #bySettings = new Map<object, ResolverFactory>();
  readonly #known = new Map<string, readonly number[]>();

  constructor(repository: LaidRepository) {
    this.repository = repository;
    const conditionNames = [...CONDITIONS];
    this.#options = {
      ...{ extensions: ENDINGS, extensionAlias: { ...SOURCE_ENDINGS }, conditionNames },
      ...{ mainFields: ["source", "module", "main", "types"], nodePath: false },
      // Not those of folders around it: there is nothing of the repository.
      modules: [join(repository.root, "node_modules")],
    };
    this.#plain = new ResolverFactory(this.#options);
    this.#byProject = new ResolverFactory({ ...this.#options, tsconfig: "auto" });
    const conditions = new Set([...repository.manifests.values()].flatMap((each) => each.conditions));
    this.#underConditions = [...conditions]
      .filter((each) => each !== "default")
      .slice(0, MOST_CONDITIONS)
      .map((each) => this.#with({ conditionNames: [each] }))
      .concat(conditions.size === 0 ? [] : [this.#with({ conditionNames: [] })]);
  }

  targetsOf(importer: string, module: string): readonly number[] {
    const [plain = ""] = module.split("?");
    const folder = folderOf(importer);
    const key = `${folder}\0${plain}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const path of this.#pathsOf(importer, this.#meant(importer, plain)))
      if (path !== undefined) for (const each of this.#withSource(path)) found.add(each);
    const targets = [...found].flatMap((path) => this.repository.known.placeOf(path) ?? []);
    this.#known.set(key, targets);
    return targets;
  }

  /** A manifest around a file may give the name of one package of the repository to another. */
  #meant(importer: string, module: string): string {
    if (this.repository.meant.size === 0 || isRelative(module)) return module;
    const name = nameOf(module);
    for (const { folder, name: own, plain } of manifestsAround(this.repository, importer)) {
      const link = this.repository.meant.get(folder)?.get(name);
      if (link !== undefined) return `${link}${module.slice(name.length)}`;
      // It is asked for as it is called, or is the package itself.
      if (own === name || plain.has(name)) return module;
    }
    return module;
  }

  /** Before what is built the source of it, where the repository has both. */
  #withSource(path: string): string[] {
    const around = manifestsAround(this.repository, path)[0]?.folder ?? "";
    const [, ...sources] = sourcesOf(posix.relative(around, path));
    return [...sources.flatMap((each) => this.repository.known.fileOf(posix.join(around, each)) ?? []), path];
  }

  *#pathsOf(importer: string, module: string): Generator<string | undefined> {
    const folder = folderOf(importer);
    if (!staysWithin(folder, module)) return;
    let count = 0;
    const counted = (path: string | undefined) => {
      if (path !== undefined) count += 1;
      return path;
    };
    yield counted(this.#ask(this.#byProject, importer, module));
    if (isRelative(module)) {
      if (count === 0) yield* this.#relative(folder, module);
      return;
    }
    const isOwn = module.startsWith("#") || this.repository.packages.has(nameOf(module));
    if (isOwn) for (const each of this.#underConditions) yield counted(this.#ask(each, importer, module));
    for (const around of foldersAround(folder)) {
      for (const aliases of this.repository.aliases.get(around) ?? []) {
        if (![...aliases.keys()].some((name) => fitsAlias(name, module))) continue;
        const alias = Object.fromEntries([...aliases].map(([name, to]) => [name, to.map((each) => this.#at(each))]));
        yield counted(this.#ask(this.#bySetting(aliases, { alias }), importer, module));
      }
    }
    if (count > 0) return;
    for (const around of foldersAround(folder)) {
      for (const settings of this.repository.tsconfigs.get(around) ?? []) {
        if (!mayMean(settings, module)) continue;
        const tsconfig = { configFile: this.#at(settings.path) };
        const path = counted(this.#ask(this.#bySetting(settings, { tsconfig }), importer, module));
        if (path !== undefined) return yield path;
      }
    }
    yield* this.#guess(importer, module);
  }

  /** What a relative import means without any settings, or the source of the built file that it names. */
  *#relative(folder: string, module: string): Generator<string | undefined> {
    const whole = posix.join(folder, module);
    const around = manifestsAround(this.repository, whole)[0]?.folder ?? "";
    for (const source of sourcesOf(posix.relative(around, whole))) yield this.#file(posix.join(around, source));
  }

  /** As most projects mean `@/` and `~/`, and as they lay out a package that does not say it. */
  *#guess(importer: string, module: string): Generator<string | undefined> {
    const rest = /^[@~]\/(.+)$/.exec(module)?.[1];
    if (rest !== undefined) {
      for (const each of new Set([manifestsAround(this.repository, importer)[0]?.folder ?? "", ""]))
        for (const place of [`src/${rest}`, rest]) {
          const path = this.#file(posix.join(each, place));
          if (path !== undefined) return yield path;
        }
      return;
    }
    if (module.startsWith("#")) return yield* this.#byPatterns(manifestsAround(this.repository, importer), module);
    const name = nameOf(module);
    const own = this.repository.packages.get(name);
    if (own === undefined) return;
    const part = module.slice(name.length + 1);
    yield* this.#byPatterns([own], `./${part}`);
    const places = part === "" ? ["src/index", "index", "lib/index", "src/main"] : [part, `src/${part}`, `lib/${part}`];
    for (const place of places) {
      const path = this.#file(posix.join(own.folder, place));
      if (path !== undefined) return yield path;
    }
  }

  /** By the names of these manifests, whose paths may leave out an ending. */
  *#byPatterns(manifests: Iterable<CleanManifest>, module: string): Generator<string | undefined> {
    for (const { patterns } of manifests) {
      for (const [name, to] of patterns) {
        if (!fits(name, module)) continue;
        const star = name.indexOf("*");
        const rest = star === -1 ? "" : module.slice(star, module.length - (name.length - star - 1));
        yield this.#file(to.replace("*", () => rest));
      }
    }
  }

  /** The file at a path from the root, which may leave out its ending. */
  #file(path: string): string | undefined {
    return staysWithin("", `./${path}`) ? this.#ask(this.#plain, "package.json", `./${path}`) : undefined;
  }

  #ask(resolver: ResolverFactory, importer: string, module: string): string | undefined {
    const { root } = this.repository;
    const hasOwnSettings = resolver !== this.#byProject;
    const { path } = hasOwnSettings
      ? resolver.sync(this.#at(folderOf(importer)), module)
      : resolver.resolveFileSync(this.#at(importer), module);
    return path?.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
  }

  #at(path: string): string {
    return join(this.repository.root, path);
  }

  #with(other: NapiResolveOptions): ResolverFactory {
    return this.#plain.cloneWithOptions({ ...this.#options, ...other });
  }

  #bySetting(key: object, options: NapiResolveOptions): ResolverFactory {
    // A clone would share the cache of settings, and use those of the first clone.
    const resolver = this.#bySettings.get(key) ?? new ResolverFactory({ ...this.#options, ...options });
    this.#bySettings.set(key, resolver);
    return resolver;
  }
}
