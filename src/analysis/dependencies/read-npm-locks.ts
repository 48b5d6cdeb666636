import { findJsonBlocks, parseJson } from "./json-blocks.ts";
import { isRecord, type LockedPackage, type LockFileFault, lockedPackage, sourceOf, textOf } from "./locked-package.ts";

/** `package-lock.json` and `npm-shrinkwrap.json` of versions 1 to 3. */
export function readPackageLock(text: string): readonly LockedPackage[] | LockFileFault {
  const lock = parseJson(text);
  if (lock === undefined) return { fault: "it is not JSON" };
  const blocks = findJsonBlocks(text);
  if (isRecord(lock.packages)) {
    return Object.entries(lock.packages).flatMap(([path, entry]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      if (!path.includes("node_modules/") || !isRecord(entry) || entry.link === true) return [];
      return readEntry(textOf(entry.name) ?? name, entry, blocks.take(path));
    });
  }
  return isRecord(lock.dependencies) ? readNested(lock.dependencies, blocks) : { fault: "it lists no packages" };
}

/** Version 1: packages inside packages. Keeps its own stack, as nesting may be hostile. */
function readNested(
  top: Readonly<Record<string, unknown>>,
  blocks: ReturnType<typeof findJsonBlocks>,
): LockedPackage[] {
  const packages: LockedPackage[] = [];
  const rest = Object.entries(top).reverse();
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [name, entry] = next;
    if (!isRecord(entry)) continue;
    packages.push(...readEntry(name, entry, blocks.take(name)));
    if (isRecord(entry.dependencies)) rest.push(...Object.entries(entry.dependencies).reverse());
  }
  return packages;
}

function readEntry(
  name: string,
  entry: Readonly<Record<string, unknown>>,
  lines: { line: number; endLine: number },
): LockedPackage[] {
  const version = textOf(entry.version);
  if (version === undefined) return [];
  const written = /^[\d.]+/.test(version) ? undefined : version;
  const address = textOf(entry.resolved) ?? written;
  return [
    lockedPackage({
      ecosystem: "npm",
      name,
      version,
      source: sourceOf(address),
      address,
      integrity: textOf(entry.integrity),
      installScript: entry.hasInstallScript === true,
      ...lines,
    }),
  ];
}

/** `yarn.lock` of both kinds: yarn 1 writes a format of its own, later ones YAML of one form. */
export function readYarnLock(text: string): readonly LockedPackage[] | LockFileFault {
  if (!/^# yarn lockfile v1|^__metadata:/m.test(text)) return { fault: "it does not say that it is one" };
  const lines = text.split("\n");
  const packages: LockedPackage[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (end < lines.length && /^\s+\S/.test(lines[end] ?? "")) end += 1;
    const head = lines[at] ?? "";
    if (/^["\w@].*:\s*$/.test(head))
      packages.push(...readYarnEntry(head, lines.slice(at + 1, end).join("\n"), at + 1, end));
    at = end;
  }
  return packages;
}

/** In characters. A field with more is left out. */
const LONGEST_FIELD = 1_000;

function readYarnEntry(head: string, body: string, line: number, endLine: number): LockedPackage[] {
  const first = /^"?([^",]+)/.exec(head)?.[1] ?? "";
  const [, name, range = ""] = /^(@?[^@]+)@(.*?):?$/.exec(first) ?? [];
  const field = (key: string) =>
    new RegExp(`^ {2}${key}:? "?([^"\\s]{1,${LONGEST_FIELD}})"?\\s*$`, "m").exec(body)?.[1];
  const version = field("version");
  if (name === undefined || version === undefined || name === "__metadata") return [];
  const specifier = range.replace(/^npm:/, "");
  const resolution = /@(?!npm:)([a-z+]+:.+)$/.exec(field("resolution") ?? "")?.[1];
  const resolved = field("resolved");
  const address = sourceOf(specifier) === "registry" ? (resolved ?? resolution) : specifier;
  const checksum = field("checksum");
  return [
    lockedPackage({
      ecosystem: "npm",
      name: /^npm:(@?[^@]+)@/.exec(range)?.[1] ?? name,
      version,
      source: /^ {2}linkType: soft/m.test(body) ? "link" : sourceOf(address),
      address,
      integrity: field("integrity") ?? (checksum?.includes("/") ? checksum : undefined),
      line,
      endLine,
    }),
  ];
}

/**
 * `pnpm-lock.yaml` of versions 5 to 9, by its lines: a parser of all of YAML takes seconds for a large one, and pnpm prints it in one
 * way only.
 */
export function readPnpmLock(text: string): readonly LockedPackage[] | LockFileFault {
  if (!/^lockfileVersion:/m.test(text)) return { fault: "it names no version" };
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^packages:\s*$/.test(line));
  if (start === -1) return [];
  const packages: LockedPackage[] = [];
  for (let at = start + 1; at < lines.length && !/^\S/.test(lines[at] ?? ""); ) {
    let end = at + 1;
    while (end < lines.length && /^(?: {3,}|\s*$)/.test(lines[end] ?? "")) end += 1;
    const key = keyOf(lines[at] ?? "");
    while (end > at + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
    if (key !== undefined) packages.push(...readPnpmEntry(key, lines.slice(at + 1, end).join("\n"), at + 1, end));
    at = end;
    while (at < lines.length && (lines[at] ?? "").trim() === "") at += 1;
  }
  return packages;
}

/** What stands before the colon at the end of a line, without its quotes. */
function keyOf(line: string): string | undefined {
  const key = /^ {2}(\S.*):$/.exec(line.trimEnd())?.[1];
  return key !== undefined && /^(?:"\S.*"|'\S.*')$/.test(key) ? key.slice(1, -1) : key;
}

function readPnpmEntry(key: string, body: string, line: number, endLine: number): LockedPackage[] {
  const plain = key.split("(", 1).join().replace(/^\//, "");
  const field = (name: string) => new RegExp(`\\b${name}: ['"]?([^,'"}\\s]+)`).exec(body)?.[1];
  // Version 5 writes `/name/1.2.3_peer`, later ones `name@1.2.3`.
  const match = /^((?:@[^/]+\/)?[^/@]+)\/([^_/@]+)/.exec(plain) ?? /^(@?[^@]+?)@(.+)$/.exec(plain);
  const name = /^ {4}name: ['"]?([^'"\s]+)/m.exec(body)?.[1] ?? match?.[1];
  const version = /^ {4}version: ['"]?([^'"\s]+)/m.exec(body)?.[1] ?? match?.[2];
  if (name === undefined || version === undefined) return [];
  const address = /\btype: git\b/.test(body) ? `git+${field("repo") ?? ""}` : (field("tarball") ?? written(version));
  const directory = /\btype: directory\b/.test(body);
  return [
    lockedPackage({
      ecosystem: "npm",
      name,
      version,
      source: directory ? "link" : sourceOf(address),
      address,
      integrity: field("integrity"),
      installScript: /^ {4}requiresBuild: true/m.test(body),
      line,
      endLine,
    }),
  ];
}

function written(version: string): string | undefined {
  return /^\d/.test(version) ? undefined : version;
}
