import { readToml } from "../../workspace/parse-toml.ts";
import { runsPrograms } from "../runs-programs.ts";
import type { Ecosystem } from "./advisory-source.ts";
import { joinHashes, withAddresses } from "./lock-sources.ts";
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

type Table = Readonly<Record<string, unknown>>;

/** What Cargo, Poetry, uv and PDM write at the top. */
const SECTIONS: ReadonlySet<string> = new Set([
  ...["package", "metadata", "version", "revision", "extras", "root", "patch", "manifest", "options", "conflicts"],
  ...["requires-python", "resolution-markers", "supported-markers", "required-markers"],
]);

/** Each time the entry around the fault is left out; a file with more of them is no lock file. */
const MOST_FAULTS = 3;

/** `Cargo.lock`, `poetry.lock`, `uv.lock` and `pdm.lock`: tables of the name `package`. */
export function readTomlLock(ecosystem: Ecosystem): (text: string) => LockReading | LockFileFault {
  return (text) => {
    const { lock, lines, strange: unread } = parseAround(text);
    if (lock === undefined) return { fault: "it is not TOML", ...(unread === undefined ? {} : { line: unread }) };
    const { package: entries = [] } = lock;
    const isList = Array.isArray(entries);
    if (!isList || (entries.length === 0 && lines.some((line) => line.startsWith("[["))))
      return { fault: "it lists no packages" };
    const places = findPlaces(lines);
    let strange = unread ?? Number.POSITIVE_INFINITY;
    const unknown = Object.keys(lock).filter((section) => !SECTIONS.has(section));
    if (unknown.length > 0) strange = Math.min(strange, lineOfSection(lines, unknown));
    // As many as there are packages, unless somebody wrote what looks like one into a text, or one in another form.
    const known = places.length === entries.length;
    const files = isRecord(lock.metadata) && isRecord(lock.metadata.files) ? lock.metadata.files : {};
    const packages = entries.flatMap((entry: unknown, at) => {
      const place = (known ? places[at] : undefined) ?? { line: 1, endLine: 1 };
      const found = isRecord(entry) ? readEntry(ecosystem, entry, place, files) : undefined;
      if (found === undefined || holdsCode(entry as Table)) strange = Math.min(strange, place.line);
      return found ?? [];
    });
    return lockReading(packages, strange, { table: lock });
  };
}

/** The text as TOML, without the entries that are none. */
function parseAround(text: string): { lock?: Table | undefined; lines: readonly string[]; strange?: number } {
  const lines = text.split("\n");
  let strange: number | undefined;
  for (let faults = 0; faults <= MOST_FAULTS; faults += 1) {
    const { table: lock, fault: line } = readToml(faults === 0 ? text : lines.join("\n"));
    if (lock !== undefined) return { lock, lines, ...(strange === undefined ? {} : { strange }) };
    strange = Math.min(strange ?? line, line);
    let start = line - 1;
    while (start > 0 && !lines[start]!.startsWith("[[")) start -= 1;
    let end = line;
    while (end < lines.length && !lines[end]!.startsWith("[[")) end += 1;
    // As empty lines, so that the others keep their places.
    lines.fill("", start, end);
    if (!lines.some((one) => one.startsWith("[["))) break;
  }
  return { lines, ...(strange === undefined ? {} : { strange }) };
}

/** The lines of each entry, 1-based, as programs print them: the parser tells no places. */
function findPlaces(lines: readonly string[]): { line: number; endLine: number }[] {
  const starts = lines.flatMap((line, index) =>
    line.startsWith("[[package]]") && line.trimEnd() === "[[package]]" ? [index] : [],
  );
  return starts.map((start, at) => {
    let end = starts[at + 1] ?? lines.length;
    while (end > start + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
    return { line: start + 1, endLine: end };
  });
}

/** The first line that begins with one of these keys, in brackets or not. */
function lineOfSection(lines: readonly string[], keys: readonly string[]): number {
  const wanted = new Set(keys);
  const at = lines.findIndex((line) => wanted.has(/^\[{0,2}\s*["']?([\w-]+)/.exec(line)?.[1] ?? ""));
  return Math.max(0, at) + 1;
}

/** A description may have many lines, and they are prose. */
function holdsCode(entry: Table): boolean {
  for (const field in entry) {
    const value = entry[field];
    if (typeof value === "string" && value.includes("\n") && runsPrograms(value)) return true;
  }
  return false;
}

/** @returns undefined for what is no entry of a package */
function readEntry(
  ecosystem: Ecosystem,
  entry: Table,
  place: { readonly line: number; readonly endLine: number },
  files: Table,
): LockedPackage[] | undefined {
  const name = textOf(entry.name);
  const version = textOf(entry.version);
  if (name === undefined) return undefined;
  const source = isRecord(entry.source) ? entry.source : {};
  // A project of a workspace has no version where it is computed.
  if (version === undefined) return [];
  // PDM writes without a table where a package comes from.
  const address = addressOf(entry.source) ?? (entry.source === undefined ? addressOf(entry) : undefined);
  // A crate without a source is one of the workspace itself.
  const local =
    ecosystem === "crates.io" ? textOf(entry.source) === undefined : "virtual" in source || "editable" in source;
  const archives = [entry.wheels, entry.sdist, entry.files, files[name]].flat().filter(isRecord);
  const checksum = textOf(entry.checksum);
  const hashes = [checksum && `sha256-${checksum}`, ...archives.map(({ hash }) => textOf(hash))];
  const one = lockedPackage({
    ...{ ecosystem, name, version, address, ...place, ...joinHashes(hashes) },
    source: local ? "link" : sourceOf(address),
  });
  if (one.source !== "registry") return [one];
  return withAddresses(one, [registryOf(entry.source), ...archives.map(({ url }) => textOf(url))]);
}

/** Cargo: `source = "git+https://..."`; uv: `source = { git = "..." }`; poetry: a table of its own. Registries are no such address. */
function addressOf(source: unknown): string | undefined {
  const written = textOf(source);
  if (written !== undefined) return /^(?:registry|sparse)\+/.test(written) ? undefined : written;
  if (!isRecord(source)) return undefined;
  const type = textOf(source.type);
  const kind = type ?? KINDS.find((one) => textOf(source[one]) !== undefined);
  const address = kind === undefined ? undefined : textOf(source[type === undefined ? kind : "url"]);
  const prefix = KINDS.find((one) => one === kind);
  return address === undefined || prefix === undefined ? undefined : `${PREFIX[prefix]}${address}`;
}

const PREFIX = { git: "git+", url: "", path: "file:", directory: "link:", file: "file:" };
const KINDS = ["git", "url", "path", "directory", "file"] as const;

/** The registry of crates.io has another address in each version of Cargo, so it is left out. */
const CRATES = /^(?:registry|sparse)\+https:\/\/(?:github\.com\/rust-lang\/crates\.io-index|index\.crates\.io)\/?$/;

/** Cargo: `registry+https://...`; uv: `{ registry = "..." }`; poetry: `type = "legacy"`. */
function registryOf(source: unknown): string | undefined {
  const written = textOf(source);
  if (written !== undefined) return CRATES.test(written) ? undefined : written.replace(/^(?:registry|sparse)\+/, "");
  if (!isRecord(source)) return undefined;
  return textOf(source.registry) ?? (source.type === "legacy" ? textOf(source.url) : undefined);
}
