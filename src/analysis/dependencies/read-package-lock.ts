import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import {
  isRecord,
  type LockedPackage,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  lockReading,
  sourceOf,
  textOf,
} from "./locked-package.ts";
import { aliasOf, versionOfArchive } from "./npm-words.ts";
import { urlOf } from "./package-address.ts";

/** `package-lock.json` and `npm-shrinkwrap.json` of versions 1 to 3. */
export function readPackageLock(text: string): LockReading | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  const blocks = findJsonBlocks(text);
  let strange = Number.POSITIVE_INFINITY;
  const tell = (line: number) => {
    strange = Math.min(strange, line);
  };
  if (isRecord(lock.packages)) {
    const packages = Object.entries(lock.packages).flatMap(([path, entry]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      if (!path.includes("node_modules/") || !isRecord(entry)) return [];
      if (entry.link === true) return ownPackage(name, entry, blocks.take(path));
      return readEntry(textOf(entry.name) ?? name, entry, blocks.take(path), tell);
    });
    const older = isRecord(lock.dependencies)
      ? onlyForOlder(packages, readNested(lock.dependencies, blocks, tell))
      : [];
    return lockReading([...packages, ...older], strange, { table: lock });
  }
  if (isRecord(lock.dependencies)) {
    const packages = readNested(lock.dependencies, blocks, tell);
    return lockReading(packages, strange, { table: lock });
  }
  // Version 1 of a project without dependencies names none.
  const isEmpty = "lockfileVersion" in lock && lock.packages === undefined && lock.dependencies === undefined;
  return isEmpty ? { packages: [], parsed: { table: lock } } : { fault: "it lists no packages" };
}

/**
 * Version 2 lists each package once more, for npm 6, which installs from this second list alone: what it has and the first has not. A
 * repository and an archive from elsewhere have their address as their version there.
 */
function onlyForOlder(packages: readonly LockedPackage[], older: readonly LockedPackage[]): readonly LockedPackage[] {
  const keyOf = ({ name, version, source, address = "", integrity = "" }: LockedPackage) =>
    source === "registry" ? `${name} ${version} ${address} ${integrity}` : `${name} ${address}`;
  const known = new Set(packages.map(keyOf));
  return older.filter((each) => each.source !== "link" && !known.has(keyOf(each)));
}

/** Version 1: packages inside packages. Keeps its own stack, as nesting may be hostile. */
function readNested(
  top: Readonly<Record<string, unknown>>,
  blocks: ReturnType<typeof findJsonBlocks>,
  tell: (line: number) => void,
): LockedPackage[] {
  const packages: LockedPackage[] = [];
  const rest = Object.entries(top).reverse();
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [name, entry] = next;
    if (!isRecord(entry)) continue;
    packages.push(...readEntry(name, entry, blocks.take(name), tell));
    if (isRecord(entry.dependencies)) rest.push(...Object.entries(entry.dependencies).reverse());
  }
  return packages;
}

/** Version 1 writes into the version where a package comes from: `npm:real@1.2.3`, `github:owner/name#0123`, an address. */
function readEntry(
  key: string,
  entry: Readonly<Record<string, unknown>>,
  lines: { line: number; endLine: number },
  tell: (line: number) => void,
): LockedPackage[] {
  const resolved = textOf(entry.resolved);
  // An optional peer that is not installed has neither; a repository may have no version, an archive has one.
  const written = textOf(entry.version) ?? resolved;
  if (written === undefined) return [];
  // npm takes what is no address for a version, or for another package: `npm:real@1.2.3`.
  const isAddress = resolved === undefined || sourceOf(resolved) !== "registry" || urlOf(resolved) !== undefined;
  if (!isAddress || (textOf(entry.version) === undefined && sourceOf(resolved) !== "git")) tell(lines.line);
  const alias = aliasOf(written);
  const name = alias?.name ?? key;
  const from = alias !== undefined || /^[\d.]+/.test(written) ? undefined : written;
  const address = resolved ?? from;
  return [
    lockedPackage({
      ecosystem: "npm",
      name,
      version: alias?.wanted ?? (from && versionOfArchive(name, from)) ?? written,
      source: isFolder(written) ? "link" : isAddress ? sourceOf(address) : "url",
      address,
      integrity: textOf(entry.integrity),
      installScript: entry.hasInstallScript === true,
      bundled: entry.inBundle === true || entry.bundled === true,
      ...lines,
    }),
  ];
}

/** A package of the workspace: its own entry has the version. */
function ownPackage(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  lines: { line: number; endLine: number },
): LockedPackage[] {
  return [lockedPackage({ ecosystem: "npm", name, version: textOf(entry.resolved) ?? "", source: "link", ...lines })];
}

/** A folder of the repository itself, and no archive in it. */
function isFolder(written: string): boolean {
  return written.startsWith("file:") && ![".tgz", ".tar.gz", ".tar"].some((ending) => written.endsWith(ending));
}
