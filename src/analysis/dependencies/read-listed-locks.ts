import { entriesOf, scalarOf } from "./formats/yaml-node.ts";
import { readYaml } from "./formats/yaml-tree.ts";
import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import { withAddresses } from "./lock-sources.ts";
import {
  isRecord,
  type LockedPackage,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  lockReading,
  textOf,
} from "./locked-package.ts";
import { isPlainData } from "./npm-words.ts";

/** `composer.lock`: packages of the project and of its development. */
export function readComposerLock(text: string): LockReading | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  if (!Array.isArray(lock.packages)) return { fault: "it lists no packages" };
  const lines = linesOfNames(text);
  const dev = lock["packages-dev"];
  let strange = Number.POSITIVE_INFINITY;
  // Composer takes the values of an object too, but never writes one.
  if (isRecord(dev)) strange = lineOf(text, '"packages-dev"');
  const entries: unknown[] = [...lock.packages, ...(isRecord(dev) || Array.isArray(dev) ? Object.values(dev) : [])];
  const packages = entries.flatMap((entry): LockedPackage[] => {
    const name = isRecord(entry) ? textOf(entry.name) : undefined;
    const version = isRecord(entry) ? textOf(entry.version) : undefined;
    const line = lines.get(name ?? "") ?? 1;
    if (isRecord(entry) && name !== undefined && version !== undefined)
      return composerPackage(entry, { name, version, line });
    strange = Math.min(strange, line);
    return [];
  });
  return lockReading(packages, strange, { table: lock });
}

/** What is fetched is the archive, or the repository where there is none or the installation prefers it. */
function composerPackage(
  entry: Readonly<Record<string, unknown>>,
  { name, version, line }: { readonly name: string; readonly version: string; readonly line: number },
): LockedPackage[] {
  const dist = isRecord(entry.dist) ? entry.dist : {};
  const repository = isRecord(entry.source) ? entry.source : {};
  const archive = textOf(dist.url);
  // A branch has no version: what it installs can change.
  const isBranch = /^dev-|-dev$/.test(version);
  const isGit = isBranch || (archive === undefined && repository.type === "git");
  const hash = textOf(dist.shasum);
  const source = dist.type === "path" ? "link" : isGit ? "git" : "registry";
  const integrity = hash === undefined ? undefined : `sha1-${hash}`;
  const place = { line, endLine: line };
  const one = lockedPackage({ ecosystem: "Packagist", name: name.toLowerCase(), version, source, integrity, ...place });
  const address = textOf(repository.url);
  return withAddresses(one, [archive ?? address, address]);
}

function lineOf(text: string, words: string): number {
  return text.slice(0, Math.max(0, text.indexOf(words))).split("\n").length;
}

/** The lines on which entries of a list say their names. */
function linesOfNames(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    const content = line.trim();
    const end = content.endsWith(",") ? content.length - 1 : content.length;
    if (!content.startsWith('"name": "') || content[end - 1] !== '"') continue;
    const name = content.slice('"name": "'.length, end - 1).replaceAll("\\/", "/");
    if (!lines.has(name)) lines.set(name, index + 1);
  }
  return lines;
}

/** `packages.lock.json` of NuGet: a list for each framework, in which the same package may be several times. */
export function readNugetLock(text: string): LockReading | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  if (!isRecord(lock.dependencies)) return { fault: "it lists no packages" };
  const blocks = findJsonBlocks(text);
  const packages = new Map<string, LockedPackage>();
  for (const list of Object.values(lock.dependencies)) {
    for (const [name, entry] of Object.entries(isRecord(list) ? list : {})) {
      const version = isRecord(entry) ? textOf(entry.resolved) : undefined;
      // What has no version is a project of the same solution.
      if (!isRecord(entry) || version === undefined) continue;
      const place = blocks.take(name);
      const hash = textOf(entry.contentHash);
      const integrity = hash === undefined ? undefined : `sha512-${hash}`;
      const key = `${name} ${version}`;
      if (!packages.has(key))
        packages.set(
          key,
          lockedPackage({ ecosystem: "NuGet", name, version, source: "registry", integrity, ...place }),
        );
    }
  }
  return { packages: [...packages.values()] };
}

/** `gradle.lockfile`: `group:artifact:version=configurations` on each line. */
export function readGradleLock(text: string): LockReading {
  let strange = Number.POSITIVE_INFINITY;
  const packages = text.split("\n").flatMap((written, index): LockedPackage[] => {
    const content = written.trim();
    if (content === "" || content.startsWith("#")) return [];
    const line = index + 1;
    const [module = "", configurations] = content.split("=", 2);
    const [group, artifact, version, ...more] = module.split(":");
    if (module === "empty" && configurations !== undefined) return [];
    const isKnown = group && artifact && version && more.length === 0 && configurations !== undefined;
    if (!isKnown || !/^[\w.:+-]+$/.test(module) || !/^[\w.,-]*$/.test(configurations)) {
      strange = Math.min(strange, line);
      return [];
    }
    const name = `${group}:${artifact}`;
    return [lockedPackage({ ecosystem: "Maven", name, version, source: "registry", line, endLine: line })];
  });
  return lockReading(packages, strange);
}

const SOURCES: Readonly<Record<string, LockedPackage["source"]>> = { git: "git", path: "link", sdk: "link" };

/** `pubspec.lock` of Dart. */
export function readPubspecLock(text: string): LockReading | LockFileFault {
  const { documents, strange: unread } = readYaml(text);
  const listed = entriesOf(documents[0]).get("packages");
  if (listed === undefined) return { fault: "it lists no packages" };
  let strange = unread ?? Number.POSITIVE_INFINITY;
  const packages = [...entriesOf(listed)].flatMap(([name, entry]): LockedPackage[] => {
    const fields = entriesOf(entry);
    const version = scalarOf(fields.get("version"));
    if (version === undefined || !/^\w+$/.test(name) || !isPlainData(version)) {
      strange = Math.min(strange, entry.line);
      return [];
    }
    const description = entriesOf(fields.get("description"));
    const source = SOURCES[scalarOf(fields.get("source")) ?? ""] ?? "registry";
    const hash = scalarOf(description.get("sha256"));
    const { line, endLine } = entry;
    return [
      lockedPackage({
        ...{ ecosystem: "Pub", name, version, source, line, endLine },
        address: source === "link" ? undefined : scalarOf(description.get("url")),
        integrity: hash === undefined ? undefined : `sha256-${hash}`,
      }),
    ];
  });
  return lockReading(packages, strange);
}
