import type { Ecosystem } from "./advisory-source.ts";
import { findPlaces, holdsCode, lineOfSection, parseAround, type Table } from "./formats/toml-entries.ts";
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

/** What Cargo, Poetry, uv and PDM write at the top. */
const SECTIONS: ReadonlySet<string> = new Set([
  ...["package", "metadata", "version", "revision", "extras", "root", "patch", "manifest", "options", "conflicts"],
  ...["requires-python", "resolution-markers", "supported-markers", "required-markers"],
]);

/** `Cargo.lock`, `poetry.lock`, `uv.lock` and `pdm.lock`: tables of the name `package`. */
export function readTomlLock(ecosystem: Ecosystem): (text: string) => LockReading | LockFileFault {
  return (text) => {
    const { lock, lines, strange: unread } = parseAround(text);
    if (lock === undefined) return { fault: "it is not TOML", ...(unread === undefined ? {} : { line: unread }) };
    const { package: entries = [] } = lock;
    const isList = Array.isArray(entries);
    if (!isList || (entries.length === 0 && lines.some((line) => line.startsWith("[["))))
      return { fault: "it lists no packages" };
    const places = findPlaces(lines, "package");
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
