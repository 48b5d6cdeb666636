import { posix } from "node:path";

/** A package of the repository itself: the root, or a workspace. */
export interface OwnPackage {
  /** From the root; empty for the root. */
  readonly folder: string;
  /** What each import of it leads to, from its folder: `.` is the package itself, `./x` a part of it. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
  /** Names of the packages that it asks for, others' among them. */
  readonly needs: ReadonlySet<string>;
}

/** By the name that they are imported by. */
export type OwnPackages = ReadonlyMap<string, OwnPackage>;

/** More workspaces whose tests import one another are not expected. */
const MOST_PACKAGES = 500;

const NEEDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** The manifests that name packages of the repository. */
export function ownManifests(paths: readonly string[]): string[] {
  const found = paths.filter((path) => /(?:^|\/)package\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path));
  return found.slice(0, MOST_PACKAGES);
}

/** @param texts of `ownManifests` */
export function readOwnPackages(texts: ReadonlyMap<string, Buffer>): OwnPackages {
  const packages = new Map<string, OwnPackage>();
  for (const [path, text] of texts) {
    const manifest = parsed(text.toString("utf8"));
    if (typeof manifest?.name !== "string" || manifest.name === "") continue;
    const folder = posix.dirname(path) === "." ? "" : posix.dirname(path);
    const needs = new Set(NEEDS.flatMap((list) => Object.keys(Object(manifest[list]))));
    packages.set(manifest.name, { folder, entries: entriesOf(manifest), needs });
  }
  return packages;
}

function entriesOf(manifest: Readonly<Record<string, unknown>>): Map<string, readonly string[]> {
  const entries = new Map<string, readonly string[]>();
  const main = ["source", "module", "main", "types"].flatMap((name) => leaves(manifest[name]));
  const { exports } = manifest;
  const parts = Object.entries(Object(exports)).filter(([name]) => name.startsWith("."));
  for (const [name, target] of parts) entries.set(name, leaves(target));
  if (parts.length === 0) entries.set(".", [...leaves(exports), ...main]);
  else entries.set(".", [...(entries.get(".") ?? []), ...main]);
  return entries;
}

/** Every file that is named under any condition. */
function leaves(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (depth > 5 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each) => leaves(each, depth + 1));
}

/** Where the files of an import by a package's own name may stand, the likeliest first, without their endings perhaps. */
export function ownPlaces(specifier: string, packages: OwnPackages): string[] {
  const [, name = "", part = ""] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  const own = packages.get(name);
  if (own === undefined) return [];
  const named = own.entries.get(part === "" ? "." : `./${part}`) ?? [];
  const guessed = part === "" ? ["src/index", "index", "lib/index", "src/main"] : [part, `src/${part}`, `lib/${part}`];
  return [...named.flatMap(sourcesOf), ...guessed].map((each) => posix.join(own.folder, each));
}

/** What is built stands in another folder than what it is built from. */
function sourcesOf(entry: string): string[] {
  const path = posix.normalize(entry);
  const source = /^(?:dist|build|lib|out|es|esm|cjs)\/(?:(?:esm?|cjs|src)\/)*(.+)$/s.exec(path)?.[1];
  return source === undefined
    ? [path]
    : [path, `src/${source}`, `src/${source.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "")}`];
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
