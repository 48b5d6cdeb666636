import semver from "semver";
import { type KnownBlocks, valuesOf } from "./formats/known-blocks.ts";
import { entriesOf, scalarOf, type YamlNode } from "./formats/yaml-node.ts";
import { readYaml } from "./formats/yaml-tree.ts";
import { readYarnOne } from "./formats/yarn-one.ts";
import {
  type LockedPackage,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  lockReading,
  sourceOf,
} from "./locked-package.ts";
import { aliasOf, isNpmName, splitReference } from "./npm-words.ts";
import { tellStrangeWords } from "./read-pnpm-lock.ts";

const FIELDS: ReadonlySet<string> = new Set([
  ...["version", "resolved", "integrity", "uid", "registry", "name", "permissions", "prebuiltVariants"],
  ...["resolution", "checksum", "languageName", "linkType", "conditions", "bin"],
  ...["dependencies", "optionalDependencies", "peerDependencies", "dependenciesMeta", "peerDependenciesMeta"],
]);
const NO_TEXTS: ReadonlySet<string> = new Set();

/** `yarn.lock` of both kinds: Yarn 1 writes a format of its own, later ones YAML. */
export function readYarnLock(text: string, known?: KnownBlocks): LockReading | LockFileFault {
  const plain = known && valuesOf(known);
  const entries = readYarnEntries(text, known);
  if (entries === undefined) return { fault: "it does not say that it is one" };
  let strange = entries.strange ?? Number.POSITIVE_INFINITY;
  const tell = (line: number) => {
    strange = Math.min(strange, line);
  };
  const packages: LockedPackage[] = [];
  const cacheKey = scalarOf(entriesOf(entries.of.get("__metadata")).get("cacheKey"));
  for (const [head, entry] of entries.of) {
    tellStrangeWords({ ...entry, value: new Map([[head, entry]]) }, tell, plain, NO_TEXTS);
    if (head === "__metadata") continue;
    for (const [field, { line }] of entriesOf(entry)) if (!FIELDS.has(field)) tell(line);
    const found = readEntry(head, entry, cacheKey, tell);
    if (found === undefined) tell(entry.line);
    else packages.push(...found);
  }
  return lockReading(packages, strange, { entries: entries.of });
}

interface YarnEntries {
  readonly of: ReadonlyMap<string, YamlNode>;
  readonly strange?: number;
}

/** The entries of a `yarn.lock` by their heads; undefined for a text that is of neither kind. */
function readYarnEntries(text: string, known?: KnownBlocks): YarnEntries | undefined {
  const isClassic = /^# yarn lockfile v1/m.test(text);
  const { documents, ...rest } = isClassic
    ? readYarnOne(text, known)
    : readYaml(text, known && { blocks: known, indent: 0 });
  const of = entriesOf(documents[0]);
  if (!isClassic && !of.has("__metadata")) return undefined;
  const second = documents[1];
  return { of, ...rest, ...(second === undefined ? {} : { strange: second.line }) };
}

/** The patterns in the head of an entry. */
export function patternsOf(head: string): string[] {
  return head.split(/, (?=@?[^@,]+@)/);
}

/**
 * Later versions of Yarn fetch what `resolution` says: its field for the version is only for readers.
 * @returns undefined for what is no entry of a package
 */
function readEntry(
  head: string,
  entry: YamlNode,
  cacheKey: string | undefined,
  tell: (line: number) => void,
): LockedPackage[] | undefined {
  const fields = entriesOf(entry);
  const field = (name: string) => scalarOf(fields.get(name));
  const [name, range = ""] = splitReference(patternsOf(head)[0] ?? "") ?? [];
  const version = field("version");
  if (name === undefined || !isNpmName(name) || version === undefined) return undefined;
  const [resolvedName, reference] = splitReference(field("resolution") ?? "") ?? [];
  const specifier = range.replace(/^npm:/, "");
  const address =
    reference === undefined
      ? sourceOf(specifier) === "registry"
        ? field("resolved")
        : specifier
      : addressOf(reference);
  const fetched = reference?.startsWith("npm:") ? semver.valid(reference.slice("npm:".length).split("::", 1)[0]) : null;
  const isOther = resolvedName !== undefined && ![name, aliasOf(range)?.name].includes(resolvedName);
  if ((fetched !== null && fetched !== version) || isOther) tell(entry.line);
  const checksum = field("checksum");
  // Yarn 3 writes the key of the cache only once, at the top.
  const zipHash = checksum === undefined || checksum.includes("/") ? checksum : `${cacheKey ?? "0"}/${checksum}`;
  return [
    lockedPackage({
      ecosystem: "npm",
      name: resolvedName ?? aliasOf(range)?.name ?? name,
      version: fetched ?? version,
      source: sourceOf(address),
      address,
      integrity: field("integrity") ?? zipHash ?? hashOfAddress(address),
      line: entry.line,
      endLine: entry.endLine,
    }),
  ];
}

/**
 * Where a locator of later versions of Yarn leads: none for the registry, and none for its packages with a patch. An archive that is
 * not where the registry has it is a parameter.
 */
function addressOf(reference: string): string | undefined {
  if (reference.startsWith("patch:")) return undefined;
  if (!reference.startsWith("npm:")) return reference;
  const at = reference.indexOf("::");
  const archive = at === -1 ? null : new URLSearchParams(reference.slice(at + 2)).get("__archiveUrl");
  return archive ?? undefined;
}

/** Yarn 1 wrote a SHA-1 behind the address before it had a field for hashes. */
function hashOfAddress(address: string | undefined): string | undefined {
  const hash = address?.split("#", 2)[1] ?? "";
  return /^[0-9a-f]{40}$/.test(hash) && sourceOf(address) !== "git"
    ? `sha1-${Buffer.from(hash, "hex").toString("base64")}`
    : undefined;
}
