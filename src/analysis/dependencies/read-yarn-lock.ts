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
export function readYarnLock(text: string): LockReading | LockFileFault {
  const entries = readYarnEntries(text);
  if (entries === undefined) return { fault: "it does not say that it is one" };
  let strange = entries.strange ?? Number.POSITIVE_INFINITY;
  const tell = (line: number) => {
    strange = Math.min(strange, line);
  };
  const packages: LockedPackage[] = [];
  for (const [head, entry] of entries.of) {
    tellStrangeWords({ ...entry, value: new Map([[head, entry]]) }, tell, NO_TEXTS);
    if (head === "__metadata") continue;
    for (const [field, { line }] of entriesOf(entry)) if (!FIELDS.has(field)) tell(line);
    const found = readEntry(head, entry);
    if (found === undefined) tell(entry.line);
    else packages.push(...found);
  }
  return lockReading(packages, strange);
}

/** The entries of a `yarn.lock` by their heads; undefined for a text that is of neither kind. */
export function readYarnEntries(
  text: string,
): { readonly of: ReadonlyMap<string, YamlNode>; readonly strange?: number } | undefined {
  const isClassic = /^# yarn lockfile v1/m.test(text);
  const { documents, ...rest } = isClassic ? readYarnOne(text) : readYaml(text);
  const of = entriesOf(documents[0]);
  if (!isClassic && !of.has("__metadata")) return undefined;
  const second = documents[1];
  return { of, ...rest, ...(second === undefined ? {} : { strange: second.line }) };
}

/** The patterns in the head of an entry. */
export function patternsOf(head: string): string[] {
  return head.split(/, (?=@?[^@,]+@)/);
}

/** @returns undefined for what is no entry of a package */
function readEntry(head: string, entry: YamlNode): LockedPackage[] | undefined {
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
  const checksum = field("checksum");
  return [
    lockedPackage({
      ecosystem: "npm",
      name: resolvedName ?? aliasOf(range)?.name ?? name,
      version,
      source: field("linkType") === "soft" ? "link" : sourceOf(address),
      address,
      integrity: field("integrity") ?? (checksum?.includes("/") ? checksum : undefined),
      line: entry.line,
      endLine: entry.endLine,
    }),
  ];
}

/** Where a locator of later versions of Yarn leads: none for the registry, and none for its packages with a patch. */
function addressOf(reference: string): string | undefined {
  if (reference.startsWith("patch:")) return undefined;
  if (!reference.startsWith("npm:")) return reference;
  const parameters = reference.slice(reference.indexOf("::") + 2).split("&");
  const archive = parameters.find((parameter) => parameter.startsWith(ARCHIVE));
  return archive === undefined ? undefined : decoded(archive.slice(ARCHIVE.length));
}

/** Of an archive that does not lie where the registry has it. */
const ARCHIVE = "__archiveUrl=";

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
