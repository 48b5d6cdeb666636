import { joinHashes, withAddresses } from "./lock-sources.ts";
import { type LockedPackage, type LockReading, lockedPackage, lockReading } from "./locked-package.ts";
import { isPlainData } from "./npm-words.ts";

/** Where packages of a section come from; sections without a source name no packages of their own. */
const SECTIONS: ReadonlyMap<string, LockedPackage["source"] | undefined> = new Map([
  ["GEM", "registry"],
  ["GIT", "git"],
  ["PATH", "link"],
  ["PLUGIN SOURCE", "url"],
  ...["PLATFORMS", "DEPENDENCIES", "CHECKSUMS", "RUBY VERSION", "BUNDLED WITH"].map(
    (name) => [name, undefined] as const,
  ),
]);

/** Spaces before the name of a package that is installed, and before what it asks for itself. */
const PACKAGE = 4;
const NEED = 6;
/** Of one section. */
const MOST_REMOTES = 20;

/**
 * `Gemfile.lock`. A package that is built for several machines has a line for each of them, with the platform behind the version: it is
 * one package.
 */
export function readGemfileLock(text: string): LockReading {
  const packages = new Map<string, LockedPackage>();
  let section: string | undefined;
  const hashes = new Map<string, string[]>();
  let remotes: string[] = [];
  let strange = Number.POSITIVE_INFINITY;
  for (const [index, written] of text.split("\n").entries()) {
    const line = written.trimEnd();
    if (line === "") continue;
    const indent = line.length - line.trimStart().length;
    if (indent === 0) [section, remotes] = [line, []];
    const entry = indent === 0 ? { isKnown: SECTIONS.has(line) } : readLine(section, indent, line.slice(indent));
    if (!entry.isKnown || !isPlainData(line)) {
      strange = Math.min(strange, index + 1);
      continue;
    }
    // Old versions of Bundler write several for one section.
    if (entry.remote !== undefined && remotes.push(entry.remote) > MOST_REMOTES) {
      strange = Math.min(strange, index + 1);
      remotes.pop();
    }
    const source = SECTIONS.get(section ?? "");
    const { name, version, hash } = entry;
    if (name === undefined || version === undefined) continue;
    const known = hashes.get(`${name} ${version}`) ?? [];
    if (hash !== undefined) hashes.set(`${name} ${version}`, known);
    known.push(...(hash ?? []));
    if (source === undefined) continue;
    const one = lockedPackage({ ecosystem: "RubyGems", name, version, source, line: index + 1, endLine: index + 1 });
    const address = remotes.at(-1);
    for (const found of source === "registry" ? withAddresses(one, remotes) : [lockedPackage({ ...one, address })]) {
      const key = `${name} ${version} ${source} ${found.address}`;
      if (!packages.has(key)) packages.set(key, found);
    }
  }
  const all = [...packages.values()];
  return lockReading(
    all.map((one) => ({ ...one, ...joinHashes(hashes.get(`${one.name} ${one.version}`) ?? []) })),
    strange,
    { text },
  );
}

interface Line {
  readonly isKnown: boolean;
  readonly remote?: string | undefined;
  readonly name?: string;
  readonly version?: string;
  /** Of `CHECKSUMS`. */
  readonly hash?: readonly string[];
}

const KNOWN: Line = { isKnown: true };
const UNKNOWN: Line = { isKnown: false };

function readLine(section: string | undefined, indent: number, content: string): Line {
  if (section === undefined || !SECTIONS.has(section)) return UNKNOWN;
  if (section === "RUBY VERSION" || section === "BUNDLED WITH")
    return /^[\w. ()-]+$/.test(content) && !/[\w.]\(/.test(content) ? KNOWN : UNKNOWN;
  if (section === "PLATFORMS") return /^[\w.-]+$/.test(content) ? KNOWN : UNKNOWN;
  if (SECTIONS.get(section) !== undefined && indent === 2) return readOption(content);
  const [name = "", rest = ""] = splitOnce(content.endsWith("!") ? content.slice(0, -1) : content, " ");
  if (!/^[\w.!-]+$/.test(name)) return UNKNOWN;
  if (rest === "" || section === "DEPENDENCIES" || indent === NEED) return isRequirement(rest) ? KNOWN : UNKNOWN;
  const end = rest.indexOf(")");
  if (!rest.startsWith("(") || end === -1) return UNKNOWN;
  const after = rest.slice(end + 1);
  const [version = ""] = splitOnce(rest.slice(1, end), "-");
  if (section === "CHECKSUMS") {
    const hash = after.trim().split(",").filter(Boolean);
    return /^(?: [\w=,/+]+)?$/.test(after) ? { isKnown: true, name, version, hash } : UNKNOWN;
  }
  return indent === PACKAGE && after === "" && /^\d[\w.]*$/.test(version) ? { isKnown: true, name, version } : UNKNOWN;
}

/** `remote: https://rubygems.org/`, `specs:`. */
function readOption(content: string): Line {
  const [key = "", value = ""] = splitOnce(content, ":");
  if (!/^[a-z_]+$/.test(key) || /[()\s]/.test(value.trim())) return UNKNOWN;
  return { isKnown: true, remote: key === "remote" ? value.trim() : undefined };
}

/** Nothing, or `(>= 1.0, < 3)`. */
function isRequirement(written: string): boolean {
  return written === "" || /^\([\w.,=<>~! +-]+\)$/.test(written);
}

function splitOnce(text: string, sign: string): string[] {
  const at = text.indexOf(sign);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
