import { type KnownBlocks, valuesOf } from "./formats/known-blocks.ts";
import { entriesOf, scalarOf, type YamlNode } from "./formats/yaml-node.ts";
import { readYaml } from "./formats/yaml-tree.ts";
import {
  type LockedPackage,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  lockReading,
  sourceOf,
} from "./locked-package.ts";
import { isNpmName, isPlainData, splitReference, versionOfArchive } from "./npm-words.ts";

const SECTIONS: ReadonlySet<string> = new Set([
  ...["lockfileVersion", "settings", "importers", "packages", "snapshots", "overrides", "patchedDependencies", "time"],
  ...["packageExtensionsChecksum", "pnpmfileChecksum", "dependencies", "devDependencies", "optionalDependencies"],
  ...["specifiers", "catalogs", "neverBuiltDependencies", "onlyBuiltDependencies", "ignoredOptionalDependencies"],
  ...["dependenciesMeta", "publishDirectory", "registry", "configDependencies", "packageManagerDependencies"],
]);

/** The word of an author, on one line or many. */
const FREE = new Set(["deprecated"]);

/**
 * `pnpm-lock.yaml` of versions 5 to 9. Since pnpm 11 a document about pnpm itself stands before the one about the project: both
 * are installed.
 */
export function readPnpmLock(text: string, known?: KnownBlocks): LockReading | LockFileFault {
  const plain = known && valuesOf(known);
  const { documents, strange: unread } = readYaml(text, known && { blocks: known, indent: 2 });
  if (!documents.some((document) => entriesOf(document).has("lockfileVersion")))
    return { fault: "it names no version" };
  let strange = unread ?? Number.POSITIVE_INFINITY;
  const tell = (line: number) => {
    strange = Math.min(strange, line);
  };
  const packages = documents.flatMap((document) => {
    if (!(document.value instanceof Map)) tell(document.line);
    const sections = entriesOf(document);
    for (const [name, section] of sections) if (!SECTIONS.has(name)) tell(section.line);
    tellStrangeWords(document, tell, plain);
    return [...entriesOf(sections.get("packages"))].flatMap(([key, entry]) => {
      const found = readEntry(key, entry, tell);
      if (found === undefined) tell(entry.line);
      return found ?? [];
    });
  });
  return lockReading(packages, strange, { documents });
}

/**
 * Keys and values that are no data. Keeps its own list of what is left: nesting may be hostile.
 * @param plain values that were found to be data before
 * @param free keys of prose
 */
export function tellStrangeWords(
  root: YamlNode,
  tell: (line: number) => void,
  plain: ReadonlySet<YamlNode["value"]> | undefined,
  free: ReadonlySet<string> = FREE,
): void {
  const rest: YamlNode[] = [root];
  // Most nodes are words, and those are looked at where they are found.
  const look = (node: YamlNode) => {
    if (typeof node.value !== "string") {
      if (!plain?.has(node.value)) rest.push(node);
    } else if (!isPlainLine(node.value)) tell(node.line);
  };
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    const { value } = node;
    if (typeof value === "string") look(node);
    else if (value instanceof Map) {
      for (const [key, entry] of value as ReadonlyMap<string, YamlNode>) {
        if (!isPlainLine(key)) tell(entry.line);
        if (!free.has(key)) look(entry);
      }
    } else {
      for (const item of value as readonly YamlNode[]) {
        if (typeof item.value === "string" && /[()]/.test(item.value)) tell(item.line);
        look(item);
      }
    }
  }
}

function isPlainLine(word: string): boolean {
  return !/[;`$\n]/.test(word) || (isPlainData(word) && !word.includes("\n"));
}

/** @returns undefined for what is no entry of a package; empty for one that has no version, such as a folder */
function readEntry(key: string, entry: YamlNode, tell: (line: number) => void): LockedPackage[] | undefined {
  if (!(entry.value instanceof Map)) return undefined;
  const fields = entriesOf(entry);
  const [named, pinned] = splitKey(key) ?? [];
  const name = scalarOf(fields.get("name")) ?? named;
  if (name === undefined || !isNpmName(name)) return undefined;
  const written = pinned !== undefined && /^\d/.test(pinned) ? undefined : pinned;
  const version = scalarOf(fields.get("version")) ?? (written && versionOfArchive(name, written)) ?? pinned;
  if (version === undefined) return [];
  const { line, endLine } = entry;
  return resolutionsOf(fields.get("resolution")).map((resolution) => {
    const type = scalarOf(resolution.get("type"));
    if (type !== undefined && !TYPES.has(type)) tell(resolution.get("type")!.line);
    const address = addressOf(name, resolution, written);
    return lockedPackage({
      ...{ ecosystem: "npm", name, version, line, endLine, address },
      source: type === "directory" ? "link" : sourceOf(address),
      integrity: scalarOf(resolution.get("integrity")),
      installScript: scalarOf(fields.get("requiresBuild")) === "true",
    });
  });
}

const TYPES: ReadonlySet<string> = new Set(["git", "directory", "binary", "variations"]);

/** Where the programs that pnpm installs by itself are published: a package from there is as usual. */
const RUNTIMES: Readonly<Record<string, string>> = {
  node: "https://nodejs.org/download/",
  deno: "https://github.com/denoland/deno/releases/download/",
  bun: "https://github.com/oven-sh/bun/releases/download/",
};

type Resolution = ReadonlyMap<string, YamlNode>;

/** The one of a package, or those of its variants: an archive for each platform. */
function resolutionsOf(node: YamlNode | undefined): Resolution[] {
  const resolution = entriesOf(node);
  const variants = resolution.get("variants")?.value;
  if (!Array.isArray(variants)) return [resolution];
  return [
    // Next to its variants it may name an archive of its own.
    ...(resolution.has("tarball") || resolution.has("url") || variants.length === 0 ? [resolution] : []),
    ...variants.map((variant: YamlNode) => {
      const fields = entriesOf(variant);
      return fields.has("resolution") ? entriesOf(fields.get("resolution")) : fields;
    }),
  ];
}

/** @param written what the key has in the place of a version */
function addressOf(name: string, resolution: Resolution, written: string | undefined): string | undefined {
  if (scalarOf(resolution.get("type")) === "git") return `git+${scalarOf(resolution.get("repo")) ?? ""}`;
  const address = scalarOf(resolution.get("tarball")) ?? scalarOf(resolution.get("url"));
  const home = written?.startsWith("runtime:") ? RUNTIMES[name] : undefined;
  if (home !== undefined && address?.startsWith(home) && !address.includes("/../")) return undefined;
  return address ?? written;
}

/** Version 5 writes `/name/1.2.3_peer`, version 6 `/name@1.2.3(peer@1.0.0)`, later ones leave the first sign out. */
function splitKey(key: string): readonly [name: string, version: string] | undefined {
  const plain = withoutPeers(key.startsWith("/") ? key.slice(1) : key);
  const slash = plain.indexOf("/", plain.startsWith("@") ? plain.indexOf("/") + 1 : 0);
  const at = plain.indexOf("@", 1);
  if (slash !== -1 && (at === -1 || slash < at) && /^\d/.test(plain.slice(slash + 1)))
    return [
      plain.slice(0, slash),
      plain
        .slice(slash + 1)
        .split("_", 1)
        .join(),
    ];
  return splitReference(plain);
}

function withoutPeers(key: string): string {
  const peers = key.indexOf("(");
  return peers === -1 ? key : key.slice(0, peers);
}
