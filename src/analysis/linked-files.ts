import { createHash } from "node:crypto";
import { posix } from "node:path";
import { takeTurns } from "../workspace/files/turns.ts";
import { type Importable, readImportable } from "./imports/import-settings.ts";
import { moduleAsked, pythonModules } from "./imports/python-modules.ts";
import { resolveImports } from "./imports/resolve-imports.ts";
import type { ResolvePlace } from "./imports/resolved-imports.ts";
import { modulesIn } from "./imports/script-modules.ts";
import { isNested } from "./is-nested.ts";
import { type Dialect, languageOf, SCRIPTS } from "./languages.ts";
import { NO_SOURCE } from "./map/import-graph.ts";
import { moduleNameOf } from "./patterns/python/module-name.ts";
import type { SourceFile } from "./source-file.ts";
import type { Tree } from "./tree.ts";

/** A script of the repository: changed, or one that a changed file imports or that imports it. */
export interface LinkedFile {
  readonly path: string;
  readonly text: string;
  readonly dialect: Dialect;
  /** Files by the modules that it asks for. */
  readonly imports: Readonly<Record<string, string>>;
  readonly changed: boolean;
}

export interface LinkedFiles {
  /** What is imported stands before what imports it, where that is possible. */
  readonly files: readonly LinkedFile[];
  /** By path: names the text of all files with which a file is connected; none for those that stand alone. */
  readonly digests: ReadonlyMap<string, string>;
  /** Files with imports that may lead somewhere, and could not be followed. */
  readonly unfollowed: ReadonlySet<string>;
}

const LIMITS = {
  /** Imports of imports that are read. */
  depth: 4,
  /** Files that are looked through for imports of changed ones, the nearest by their folders first. */
  searched: 400,
  beside: 200,
  fileCharacters: 300_000,
  characters: 3_000_000,
  imports: 300,
  /** Deeper ones break a parser, which would be laid to the file that is read. */
  nesting: 500,
} as const;

const READ: ReadonlySet<string | undefined> = new Set([...SCRIPTS, "py"]);
/** What a file has that others can import; of Python every function and class of it. */
const GIVES = { js: /\bexports?\b/, py: /^(?:async def|def|class)\b/m } as const;

/** A text of a megabyte is looked through in 10 ms. */
const TURN = { most: 100, unitsOfStep: 10_000 };

/** The changed scripts with those that they import and those that import them, as far as a value is followed. */
export async function linkFiles(
  changed: readonly SourceFile[],
  tree: Tree | undefined,
  place: ResolvePlace,
): Promise<LinkedFiles> {
  const texts = new Map(
    changed.flatMap(({ path, text, language }) => (READ.has(language?.dialect) ? [[path, text] as const] : [])),
  );
  if (texts.size === 0) return { files: [], digests: new Map(), unfollowed: new Set() };
  const links = new Links(await readNames(changed, tree, place.signal), place);
  const others = tree && new Others(tree, links, place.signal);
  const giving = [...texts]
    .filter(([path, text]) => GIVES[isPython(path) ? "py" : "js"].test(text))
    .map(([path]) => path);
  const near = await others?.readNear(giving, texts);
  // All at once: to look up one import takes a process as long as to look up a thousand.
  await links.learn(new Map([...(near ?? []), ...texts]));
  links.add(texts);
  if (others !== undefined && near !== undefined) {
    others.importersOf(giving, near);
    await others.importedBy([...links.texts.keys()], near);
  }
  return links.finish(new Set(texts.keys()));
}

/** The names of all files, and the settings that say what an import means, as the change leaves them. */
export async function readNames(
  changed: readonly SourceFile[],
  tree: Tree | undefined,
  signal: AbortSignal,
): Promise<Importable> {
  const own = new Map(changed.map(({ path, text }) => [path, Buffer.from(text)]));
  const paths = [...new Set([...(tree?.paths ?? []), ...own.keys()])];
  return readImportable(
    paths,
    async (wanted) => {
      const others = wanted.filter((path) => !own.has(path));
      const read = others.length === 0 ? undefined : await tree?.readMany(others, signal);
      return new Map([
        ...(read ?? []),
        ...wanted.flatMap((path) => (own.has(path) ? [[path, own.get(path)!] as const] : [])),
      ]);
    },
    signal,
  );
}

/** Texts and what they import. */
class Links {
  readonly texts = new Map<string, string>();
  readonly imports = new Map<string, Record<string, string>>();
  readonly #unfollowed = new Set<string>();
  readonly #importable: Importable;
  readonly #place: ResolvePlace;
  readonly #turn = takeTurns(TURN);

  constructor(importable: Importable, place: ResolvePlace) {
    this.#importable = importable;
    this.#place = place;
  }

  /** Looks up what these import. */
  async learn(texts: ReadonlyMap<string, string>): Promise<void> {
    const asked: { path: string; modules: ReadonlySet<string> }[] = [];
    for (const [path, text] of texts) {
      if (this.imports.has(path)) continue;
      asked.push({ path, modules: isPython(path) ? pythonModules(text) : modulesIn(text) });
      await this.#turn(text.length);
    }
    for (const [path, { targets, guessed, isCut }] of await resolveImports(asked, this.#importable, this.#place)) {
      if (isCut) this.#unfollowed.add(path);
      const found: [string, string][] = [];
      for (const [module, files] of targets) {
        if (found.length >= LIMITS.imports) break;
        if (guessed?.has(module)) continue;
        const target = files.find((each) => READ.has(languageOf(each)?.dialect) && isPython(each) === isPython(path));
        if (target === undefined || target === path) continue;
        found.push([isPython(path) ? moduleNameOf(moduleAsked(module)) : module, target]);
      }
      this.imports.set(path, Object.fromEntries(found));
    }
  }

  /** Takes texts whose imports are known. */
  add(texts: ReadonlyMap<string, string>): void {
    for (const [path, text] of texts) this.texts.set(path, text);
  }

  importsOf(path: string): string[] {
    return Object.values(this.imports.get(path) ?? {});
  }

  finish(changed: ReadonlySet<string>): LinkedFiles {
    const order = inOrder([...this.texts.keys()].sort(), (path) => this.#targets(path));
    const files = order.map((path): LinkedFile => {
      const text = this.texts.get(path) ?? "";
      const dialect = languageOf(path)?.dialect ?? "js";
      const imports = this.imports.get(path) ?? {};
      return { path, text, dialect, imports, changed: changed.has(path) };
    });
    return { files, digests: this.#digests(order), unfollowed: this.#unfollowed };
  }

  #targets(path: string): string[] {
    return this.importsOf(path).filter((target) => this.texts.has(target));
  }

  /** One for all files that are connected by imports, in whatever direction. */
  #digests(order: readonly string[]): Map<string, string> {
    const group = new Map(order.map((path) => [path, path]));
    const rootOf = (path: string): string => {
      let root = path;
      while (group.get(root) !== root) root = group.get(root) ?? root;
      for (let at = path; at !== root; ) {
        const next = group.get(at) ?? root;
        group.set(at, root);
        at = next;
      }
      return root;
    };
    for (const path of order) for (const target of this.#targets(path)) group.set(rootOf(path), rootOf(target));
    const members = Map.groupBy([...order].sort(), rootOf);
    const digests = new Map<string, string>();
    for (const paths of members.values()) {
      if (paths.length < 2) continue;
      const hash = createHash("sha256");
      for (const path of paths) hash.update(`${path}\0${this.texts.get(path) ?? ""}\0`);
      const digest = hash.digest("hex");
      for (const path of paths) digests.set(path, digest);
    }
    return digests;
  }
}

/** Files of the repository that the change leaves alone. */
class Others {
  readonly #tree: Tree;
  readonly #links: Links;
  readonly #signal: AbortSignal;
  #left: number = LIMITS.characters;
  #files: number = LIMITS.beside;

  constructor(tree: Tree, links: Links, signal: AbortSignal) {
    this.#tree = tree;
    this.#links = links;
    this.#signal = signal;
  }

  /** Files that may import these: the nearest by their folders. */
  async readNear(paths: readonly string[], taken: ReadonlyMap<string, string>): Promise<Map<string, string>> {
    if (paths.length === 0) return new Map();
    const languages = new Set(paths.map(isPython));
    const folders = [...new Set(paths.map((path) => posix.dirname(path)))].slice(0, 50);
    const far = new Map<string, number>();
    const farOf = (folder: string) => {
      const least = far.get(folder) ?? Math.min(...folders.map((each) => distance(folder, each)));
      far.set(folder, least);
      return least;
    };
    const candidates = this.#tree.paths
      .filter((path) => isRead(path) && !taken.has(path) && languages.has(isPython(path)))
      .map((path) => ({ path, far: farOf(posix.dirname(path)) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, LIMITS.searched)
      .map(({ path }) => path);
    return this.#read(candidates);
  }

  /** Takes those that import these files, and that import those. */
  importersOf(paths: readonly string[], near: ReadonlyMap<string, string>): void {
    let wanted = new Set(paths);
    for (let round = 1; round < LIMITS.depth && wanted.size > 0; round += 1) {
      const next = new Map<string, string>();
      for (const [path, text] of near) {
        if (this.#links.texts.has(path)) continue;
        if (this.#links.importsOf(path).some((target) => wanted.has(target))) next.set(path, text);
      }
      this.#take(next);
      wanted = new Set(next.keys());
    }
  }

  async importedBy(paths: readonly string[], near: ReadonlyMap<string, string>): Promise<void> {
    let from = paths;
    for (let depth = 0; depth < LIMITS.depth && from.length > 0; depth += 1) {
      const targets = new Set(from.flatMap((path) => this.#links.importsOf(path)));
      const wanted = [...targets].filter((path) => isRead(path) && !this.#links.texts.has(path));
      const far = wanted.filter((path) => !near.has(path));
      const read = far.length === 0 ? new Map<string, string>() : await this.#read(far);
      const texts = new Map(
        wanted.flatMap((path) => {
          const text = near.get(path) ?? read.get(path);
          return text === undefined ? [] : [[path, text] as const];
        }),
      );
      await this.#links.learn(this.#take(texts));
      from = [...texts.keys()];
    }
  }

  async #read(paths: readonly string[]): Promise<Map<string, string>> {
    const contents = await this.#tree.readMany(paths, this.#signal);
    return new Map([...contents].map(([path, content]) => [path, content.toString("utf8")]));
  }

  /** @returns those for which there is room */
  #take(texts: ReadonlyMap<string, string>): Map<string, string> {
    const taken = [...texts].filter(([, text]) => {
      const fits =
        text.length <= Math.min(this.#left, LIMITS.fileCharacters) &&
        this.#files > 0 &&
        !isNested(text, LIMITS.nesting);
      if (fits) {
        this.#left -= text.length;
        this.#files -= 1;
      }
      return fits;
    });
    this.#links.add(new Map(taken));
    return new Map(taken);
  }
}

function isRead(path: string): boolean {
  return READ.has(languageOf(path)?.dialect) && !NO_SOURCE.test(path) && !/\.d\.[cm]?ts$/.test(path);
}

/** What it imports is found by its own rules, and never a script. */
function isPython(path: string): boolean {
  return languageOf(path)?.dialect === "py";
}

/** Steps from one folder to the other. */
function distance(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return a.length + b.length - 2 * same;
}

/** Those that others import before these; where they import each other, the first by path comes last. */
function inOrder(paths: readonly string[], targetsOf: (path: string) => readonly string[]): string[] {
  const order = new Set<string>();
  const seen = new Set<string>();
  for (const path of paths) {
    const stack = [{ path, targets: [...targetsOf(path)] }];
    if (seen.has(path)) continue;
    seen.add(path);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.targets.pop();
      if (next === undefined) {
        order.add(top.path);
        stack.pop();
      } else if (!seen.has(next)) {
        seen.add(next);
        stack.push({ path: next, targets: [...targetsOf(next)] });
      }
    }
  }
  return [...order];
}
