import { parseBunText } from "./formats/bun-text.ts";
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
import { isNpmName, splitReference, versionOfArchive } from "./npm-words.ts";
import { isArchive, urlOf } from "./package-address.ts";

/** `bun.lock`: JSON with commas at the ends of lists, a package on each line. */
export function readBunLock(text: string): LockReading | LockFileFault {
  const lock = parseBunText(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  const isEmpty = "lockfileVersion" in lock && lock.packages === undefined;
  if (!isRecord(lock.packages))
    return isEmpty ? { packages: [], parsed: { table: lock } } : { fault: "it lists no packages" };
  const lines = linesOfKeys(text);
  let strange = Number.POSITIVE_INFINITY;
  const packages = Object.entries(lock.packages).flatMap(([path, entry]): LockedPackage[] => {
    const line = lines.get(path) ?? 1;
    const found = Array.isArray(entry) ? readEntry(entry, line) : undefined;
    if (found === undefined) strange = Math.min(strange, line);
    return found ?? [];
  });
  return lockReading(packages, strange, { table: lock });
}

/** `["name@1.2.3", registry, what it needs, hash]`; the registry is left out for what comes from elsewhere. */
function readEntry(entry: readonly unknown[], line: number): LockedPackage[] | undefined {
  const [name, reference] = splitReference(textOf(entry[0]) ?? "") ?? [];
  if (name === undefined || reference === undefined || !isNpmName(name)) return undefined;
  const written = /^\d/.test(reference) ? undefined : reference;
  const isOwn = /^(?:workspace|root):/.test(reference);
  const registry = textOf(entry[1]);
  return [
    lockedPackage({
      ecosystem: "npm",
      name,
      version: (written && versionOfArchive(name, written)) ?? reference,
      source: isOwn ? "link" : sourceOfAddress(written, registry),
      address: written ?? registry,
      integrity: entry.map(textOf).findLast((word) => word !== undefined && /^sha\d+-/.test(word)),
      line,
      endLine: line,
    }),
  ];
}

/** A registry is named by its own address or by that of the archive in it; any other archive has a source of its own. */
function sourceOfAddress(written: string | undefined, registry: string | undefined): LockedPackage["source"] {
  const source = sourceOf(written ?? registry);
  const isRegistry = written === undefined && source === "url" && !isArchive(urlOf(registry)?.pathname ?? "");
  return isRegistry ? "registry" : source;
}

/** The lines on which lists begin behind a key. */
function linesOfKeys(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    const start = line.indexOf('"');
    const end = line.indexOf('": [', start + 1);
    if (start !== -1 && end !== -1 && line.slice(0, start).trim() === "")
      lines.set(line.slice(start + 1, end), index + 1);
  }
  return lines;
}
