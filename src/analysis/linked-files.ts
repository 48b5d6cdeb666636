import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { takeTurns } from "../workspace/files/turns.ts";
import { type Dialect, languageOf, SCRIPTS } from "./languages.ts";
import { type ImportAliases, NO_SOURCE, readAliases, resolveImport } from "./map/import-graph.ts";
import { type OwnPackages, ownManifests, readOwnPackages } from "./map/own-packages.ts";
import { findLineStarts, type SourceFile } from "./source-file.ts";

/** A script of the repository: changed, or one that a changed file imports or that imports it. */
export interface LinkedFile {
  readonly path: string;
  readonly text: string;
  readonly dialect: Dialect;
  readonly lineStarts: readonly number[];
  /** Files by the modules that it asks for. */
  readonly imports: Readonly<Record<string, string>>;
  readonly changed: boolean;
}

export interface LinkedFiles {
  /** What is imported stands before what imports it, where that is possible. */
  readonly files: readonly LinkedFile[];
  /** By path: names the text of all files with which a file is connected; none for those that stand alone. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Where files beside the changed ones are read. */
export interface Tree {
  /** Every file. */
  readonly paths: readonly string[];
  readonly readMany: RepositoryFiles["readMany"];
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

const READ: ReadonlySet<string | undefined> = new Set(SCRIPTS);
const ASKED = /\b(?:from|import|require)\s{0,20}\(?\s{0,20}(?:"([^"'\n]{1,200})"|'([^"'\n]{1,200})')/g;
const GIVES = /\bexports?\b/;

/** A text of a megabyte is looked through in 10 ms. */
const TURN = { most: 100, unitsOfStep: 10_000 };

/** The changed scripts with those that they import and those that import them, as far as a value is followed. */
export async function linkFiles(
  changed: readonly SourceFile[],
  tree: Tree | undefined,
  signal: AbortSignal,
): Promise<LinkedFiles> {
  const texts = new Map(
    changed.flatMap(({ path, text, language }) => (READ.has(language?.dialect) ? [[path, text] as const] : [])),
  );
  const paths = tree?.paths ?? [...texts.keys()];
  const known = new Set([...paths, ...texts.keys()]);
  const links = new Links(known, await readSettings(changed, tree, signal));
  await links.add(texts);
  if (tree !== undefined) {
    const others = new Others(tree, links, signal);
    await others.importersOf([...texts].filter(([, text]) => GIVES.test(text)).map(([path]) => path));
    await others.importedBy([...links.texts.keys()]);
  }
  return links.finish(new Set(texts.keys()));
}

async function readSettings(changed: readonly SourceFile[], tree: Tree | undefined, signal: AbortSignal) {
  const wanted = (tree?.paths ?? []).filter((path) => path === "tsconfig.json" || path === "jsconfig.json");
  const asked = [...ownManifests(tree?.paths ?? []), ...wanted];
  const texts = new Map(asked.length === 0 ? [] : await tree?.readMany(asked, signal));
  for (const { path, text } of changed) if (asked.includes(path)) texts.set(path, Buffer.from(text));
  const [aliases] = wanted.flatMap((path) => texts.get(path) ?? []);
  return { packages: readOwnPackages(texts), aliases: readAliases(aliases?.toString("utf8") ?? "") };
}

/** What a text seems to import: found without a parser, as more than there is costs only reading. */
export function modulesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(ASKED), ([, quoted, module = quoted ?? ""]) => module));
}

/** Texts and what they import. */
class Links {
  readonly texts = new Map<string, string>();
  readonly imports = new Map<string, Record<string, string>>();
  readonly #known: ReadonlySet<string>;
  readonly #settings: { readonly packages: OwnPackages; readonly aliases: ImportAliases };
  readonly #turn = takeTurns(TURN);

  constructor(known: ReadonlySet<string>, settings: { packages: OwnPackages; aliases: ImportAliases }) {
    this.#known = known;
    this.#settings = settings;
  }

  async add(texts: ReadonlyMap<string, string>): Promise<void> {
    for (const [path, text] of texts) {
      this.texts.set(path, text);
      this.imports.set(path, this.importsOf(path, text));
      await this.#turn(text.length);
    }
  }

  importsOf(path: string, text: string): Record<string, string> {
    const found: [string, string][] = [];
    for (const module of modulesIn(text)) {
      if (found.length >= LIMITS.imports) break;
      const target = resolveImport(module, path, this.#known, this.#settings.packages, this.#settings.aliases);
      if (target !== undefined && target !== path && READ.has(languageOf(target)?.dialect))
        found.push([module, target]);
    }
    return Object.fromEntries(found);
  }

  finish(changed: ReadonlySet<string>): LinkedFiles {
    const order = inOrder([...this.texts.keys()].sort(), (path) => this.#targets(path));
    const files = order.map((path): LinkedFile => {
      const text = this.texts.get(path) ?? "";
      const dialect = languageOf(path)?.dialect ?? "js";
      const imports = this.imports.get(path) ?? {};
      return { path, text, dialect, lineStarts: findLineStarts(text), imports, changed: changed.has(path) };
    });
    return { files, digests: this.#digests(order) };
  }

  #targets(path: string): string[] {
    return Object.values(this.imports.get(path) ?? {}).filter((target) => this.texts.has(target));
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

  /** Reads who imports these files, and who imports those. */
  async importersOf(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const folders = [...new Set(paths.map((path) => posix.dirname(path)))].slice(0, 50);
    const candidates = this.#tree.paths
      .filter((path) => isRead(path) && !this.#links.texts.has(path))
      .map((path) => ({ path, far: Math.min(...folders.map((folder) => distance(posix.dirname(path), folder))) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, LIMITS.searched)
      .map(({ path }) => path);
    const read = await this.#read(candidates);
    let wanted = new Set(paths);
    for (let round = 1; round < LIMITS.depth && wanted.size > 0; round += 1) {
      const next = new Map<string, string>();
      for (const [path, text] of read) {
        if (this.#links.texts.has(path)) continue;
        if (Object.values(this.#links.importsOf(path, text)).some((target) => wanted.has(target))) next.set(path, text);
      }
      await this.#take(next);
      wanted = new Set(next.keys());
    }
  }

  async importedBy(paths: readonly string[]): Promise<void> {
    let from = paths;
    for (let depth = 0; depth < LIMITS.depth && from.length > 0; depth += 1) {
      const targets = new Set(from.flatMap((path) => Object.values(this.#links.imports.get(path) ?? {})));
      const wanted = [...targets].filter((path) => isRead(path) && !this.#links.texts.has(path));
      const read = wanted.length === 0 ? new Map<string, string>() : await this.#read(wanted);
      await this.#take(read);
      from = [...read.keys()];
    }
  }

  async #read(paths: readonly string[]): Promise<Map<string, string>> {
    const contents = await this.#tree.readMany(paths, this.#signal);
    return new Map([...contents].map(([path, content]) => [path, content.toString("utf8")]));
  }

  async #take(texts: ReadonlyMap<string, string>): Promise<void> {
    const taken = [...texts].filter(([, text]) => {
      const fits = text.length <= Math.min(this.#left, LIMITS.fileCharacters) && this.#files > 0 && !isNested(text);
      if (fits) {
        this.#left -= text.length;
        this.#files -= 1;
      }
      return fits;
    });
    await this.#links.add(new Map(taken));
  }
}

function isRead(path: string): boolean {
  return READ.has(languageOf(path)?.dialect) && !NO_SOURCE.test(path) && !/\.d\.[cm]?ts$/.test(path);
}

/** Steps from one folder to the other. */
function distance(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return a.length + b.length - 2 * same;
}

function isNested(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth += 1;
    else if ((code === 0x29 || code === 0x5d || code === 0x7d) && depth > 0) depth -= 1;
    if (depth > LIMITS.nesting) return true;
  }
  return false;
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
