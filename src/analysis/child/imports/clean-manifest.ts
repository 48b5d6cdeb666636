import { posix } from "node:path";
import { type PackageAlias, readAlias } from "../../map/package-alias.ts";
import { type KnownFiles, sourcesOf } from "./known-files.ts";
import { Fields, type Literal, readData } from "./read-literals.ts";

/** As much of a `package.json` as says what an import leads to, every file of it one of the repository. */
export interface CleanManifest {
  readonly folder: string;
  readonly name?: string;
  readonly text: string;
  /** Conditions that it tells apart. */
  readonly conditions: readonly string[];
  /** Names (`#x`, `#x/*`, `./x/*`) and their paths from the root: many leave out an ending, as bundlers allow. */
  readonly patterns: readonly (readonly [name: string, path: string])[];
  /** Its own names (`#x`) that lead to packages of others. */
  readonly foreign: ReadonlySet<string>;
  /** Other names under which it asks for packages that may be the repository's own. */
  readonly renamed: ReadonlyMap<string, PackageAlias>;
  /** Names under which it asks for what is called so. */
  readonly plain: ReadonlySet<string>;
}

const MAIN_FIELDS = ["source", "module", "main", "types"];
const NEEDS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "resolutions",
  "overrides",
];
const MOST_ENTRIES = 500;
const DEEPEST = 6;

type Target = string | null | { readonly [condition: string]: Target } | undefined;

/** @param folder from the root; empty for the root */
export function cleanManifest(folder: string, text: string, known: KnownFiles): CleanManifest {
  const data = readData(text);
  const fields = data instanceof Fields ? data.entries : new Map<string, Literal>();
  const cleaning = new Cleaning(folder, known);
  const name = fields.get("name");
  const clean: Record<string, unknown> = {};
  if (typeof name === "string") clean.name = name;
  for (const field of MAIN_FIELDS) {
    const main = fields.get(field);
    const file = typeof main === "string" ? cleaning.file(main) : undefined;
    if (file !== undefined) clean[field] = file;
  }
  const exported = cleaning.target(fields.get("exports"), 0);
  if (typeof exported === "string" || Object.keys(exported ?? {}).length > 0) clean.exports = exported;
  const own = cleaning.target(fields.get("imports"), 0);
  if (typeof own === "object" && own !== null) clean.imports = own;
  return {
    folder,
    ...(isPackageName(name) ? { name } : {}),
    text: JSON.stringify(clean),
    conditions: [...cleaning.conditions],
    patterns: cleaning.patterns,
    foreign: cleaning.foreign,
    ...namesIn(fields),
  };
}

function namesIn(fields: ReadonlyMap<string, Literal>): Pick<CleanManifest, "renamed" | "plain"> {
  const renamed = new Map<string, PackageAlias>();
  const plain = new Set<string>();
  for (const list of NEEDS) {
    const given = fields.get(list);
    if (!(given instanceof Fields)) continue;
    for (const [name, version] of given.entries) {
      const alias = isPackageName(name) ? readAlias(version) : undefined;
      if (alias !== undefined && renamed.size < MOST_ENTRIES) renamed.set(name, alias);
      else if (alias === undefined && plain.size < MOST_ENTRIES) plain.add(name);
    }
  }
  return { renamed, plain };
}

/** A name below a folder of packages, and no way out of it. */
function isPackageName(name: Literal): name is string {
  if (typeof name !== "string" || name.length > 200 || name.includes("\\") || name.includes("\0")) return false;
  const parts = name.split("/");
  const isOne = (part: string) => part !== "" && !part.startsWith(".");
  return name.startsWith("@") ? parts.length === 2 && parts.every(isOne) : parts.length === 1 && isOne(name);
}

class Cleaning {
  readonly conditions = new Set<string>();
  readonly foreign = new Set<string>();
  readonly patterns: (readonly [string, string])[] = [];
  readonly #folder: string;
  readonly #known: KnownFiles;
  #left = MOST_ENTRIES;

  constructor(folder: string, known: KnownFiles) {
    this.#folder = folder;
    this.#known = known;
  }

  /** Without what is not there: the next condition is looked at then, and of several the first that is there. */
  target(value: Literal, depth: number, entry = ""): Target {
    this.#left -= 1;
    if (depth > DEEPEST || this.#left < 0) return undefined;
    if (value === null) return null;
    if (typeof value === "string") return this.#leaf(value, entry);
    if (Array.isArray(value)) {
      for (const each of value as readonly Literal[]) {
        const found = this.target(each, depth + 1, entry);
        if (found !== undefined && found !== null) return found;
      }
      return undefined;
    }
    if (!(value instanceof Fields)) return undefined;
    const kept: [string, Target][] = [];
    for (const [name, each] of value.entries) {
      const isEntry = name.startsWith(".") || name.startsWith("#");
      const found = this.target(each, depth + 1, isEntry ? name : entry);
      if (found === undefined) continue;
      if (!isEntry) this.conditions.add(name);
      kept.push([name, found]);
    }
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  }

  #leaf(value: string, entry: string): string | undefined {
    const file = value.startsWith("./") ? this.file(value) : undefined;
    if (file !== undefined && (entry.includes("*") || entry.startsWith("#")))
      this.patterns.push([entry, posix.join(this.#folder, file)]);
    if (value.startsWith("./")) return file;
    if (entry.startsWith("#")) this.foreign.add(entry);
    return undefined;
  }

  /** The file, or that which it is built from, from the folder of the manifest. */
  file(value: string): string | undefined {
    for (const source of sourcesOf(posix.normalize(value))) {
      const path = posix.join(this.#folder, source);
      if (path.startsWith("..") || posix.isAbsolute(value)) return undefined;
      const star = path.indexOf("*");
      if (star !== -1) {
        const ending = posix.extname(path);
        const end = path.slice(star + 1, path.length - ending.length);
        if (this.#known.hasLike(path.slice(0, star), end)) return `./${source}`;
        continue;
      }
      const file = this.#known.fileOf(path);
      if (file !== undefined) return `./${posix.relative(this.#folder, file)}`;
    }
    return undefined;
  }
}
