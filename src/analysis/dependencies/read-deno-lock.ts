import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import {
  isRecord,
  type LockedPackage,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  lockReading,
  textOf,
} from "./locked-package.ts";
import { isNpmName, splitReference } from "./npm-words.ts";
import { urlOf } from "./package-address.ts";
import { record } from "./wanted-package.ts";

const SECTIONS: ReadonlySet<string> = new Set([
  ...["version", "specifiers", "packages", "npm", "jsr", "remote", "redirects", "workspace"],
]);

/** `deno.lock` of versions 2 to 5: packages of npm, packages of JSR, and modules by their addresses. */
export function readDenoLock(text: string): LockReading | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  if (textOf(lock.version) === undefined) return { fault: "it names no version" };
  const lines = text.split("\n");
  let strange = Number.POSITIVE_INFINITY;
  const unknown = new Set(Object.keys(lock).filter((section) => !SECTIONS.has(section)));
  const at = unknown.size === 0 ? -1 : lines.findIndex((line) => unknown.has(/^\s*"([^"]*)":/.exec(line)?.[1] ?? ""));
  if (unknown.size > 0) strange = Math.max(0, at) + 1;
  const blocks = findJsonBlocks(text);
  const packages = Object.entries(packagesOf(lock)).flatMap(([kind, entries]) =>
    Object.entries(entries).flatMap(([key, entry]): LockedPackage[] => {
      const place = blocks.take(key);
      const found = isRecord(entry) ? readEntry(kind, key, entry, place) : undefined;
      if (found === undefined) strange = Math.min(strange, place.line);
      return found ?? [];
    }),
  );
  const modules = Object.entries(record(lock.remote));
  const places = modules.length === 0 ? new Map<string, number>() : linesOfKeys(lines);
  const remote = modules.flatMap(([address, hash]): LockedPackage[] => {
    const line = places.get(address) ?? 1;
    const found = typeof hash === "string" ? moduleOf(address, hash, line) : undefined;
    if (found === undefined) strange = Math.min(strange, line);
    return found ?? [];
  });
  return lockReading([...packages, ...remote], strange, { table: lock });
}

/** Version 2 has its packages in `npm`, version 3 in `packages`, later ones at the top. */
function packagesOf(lock: Readonly<Record<string, unknown>>): { readonly npm: object; readonly jsr: object } {
  const [inner, npm] = [record(lock.packages), record(lock.npm)];
  return {
    npm: { ...(isRecord(npm.packages) ? npm.packages : npm), ...record(inner.npm) },
    jsr: { ...record(lock.jsr), ...record(inner.jsr) },
  };
}

/** Keys of npm have the versions of their peers behind a sign: `a@1.0.0_b@2.0.0`. JSR serves its packages to npm under other names. */
function readEntry(
  kind: string,
  key: string,
  entry: Readonly<Record<string, unknown>>,
  place: { readonly line: number; readonly endLine: number },
): LockedPackage[] | undefined {
  const [written, reference] = splitReference(key) ?? [];
  if (written === undefined || reference === undefined) return undefined;
  const name = kind === "npm" ? written : written.replace(/^@([^/]+)\//, "@jsr/$1__");
  const [version = ""] = reference.split("_", 1);
  const hash = textOf(entry.integrity);
  if (!isNpmName(name) || !/^\d[\w.+-]*$/.test(version)) return undefined;
  const integrity = hash === undefined || kind === "npm" ? hash : `sha256-${hash}`;
  const address = textOf(entry.tarball);
  const installScript = entry.scripts === true;
  return [
    lockedPackage({ ecosystem: "npm", name, version, source: "registry", address, integrity, installScript, ...place }),
  ];
}

/** A module is known by the place that its version is a part of, such as `deno.land/std`. */
function moduleOf(address: string, hash: string, line: number): LockedPackage[] | undefined {
  const url = urlOf(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const folders = url.pathname.split("/").filter((part) => part !== "");
  const depth = folders[0] === "x" ? 2 : 1;
  const path = folders.slice(0, depth).map((part) => part.split("@", 1).join());
  const of = { ecosystem: "npm", source: "url", line, endLine: line } as const;
  return [
    lockedPackage({
      ...of,
      name: [url.host, ...path].join("/"),
      version: address,
      address,
      integrity: `sha256-${hash}`,
    }),
  ];
}

/** The first line of each key. */
function linesOfKeys(lines: readonly string[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const start = line.indexOf('"');
    const end = line.indexOf('": ', start + 1);
    if (start === -1 || end === -1) continue;
    const key = line.slice(start + 1, end);
    if (!first.has(key)) first.set(key, at + 1);
  }
  return first;
}
