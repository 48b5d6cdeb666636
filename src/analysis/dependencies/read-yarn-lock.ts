import { type LockedPackage, type LockFileFault, lockedPackage, sourceOf } from "./locked-package.ts";

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
      packages.push(...readEntry(head, lines.slice(at + 1, end).join("\n"), at + 1, end));
    at = end;
  }
  return packages;
}

function readEntry(head: string, body: string, line: number, endLine: number): LockedPackage[] {
  const first = /^"?([^",]+)/.exec(head)?.[1] ?? "";
  const [, name, range = ""] = /^(@?[^@]+)@(.*?):?$/.exec(first) ?? [];
  const field = (key: string) => new RegExp(`^ {2}${key}:? "?([^"\\s]{1,1000})"?\\s*$`, "m").exec(body)?.[1];
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
