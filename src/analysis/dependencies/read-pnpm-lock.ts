import { type LockedPackage, type LockFileFault, lockedPackage, sourceOf } from "./locked-package.ts";

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
    const key = /^ {2}(['"]?)(\S.*?)\1:\s*$/.exec(lines[at] ?? "")?.[2];
    while (end > at + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
    if (key !== undefined) packages.push(...readEntry(key, lines.slice(at + 1, end).join("\n"), at + 1, end));
    at = end;
    while (at < lines.length && (lines[at] ?? "").trim() === "") at += 1;
  }
  return packages;
}

function readEntry(key: string, body: string, line: number, endLine: number): LockedPackage[] {
  const plain = key.replace(/\(.*$/, "").replace(/^\//, "");
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
