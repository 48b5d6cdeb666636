import type { Ecosystem } from "./advisory-source.ts";
import { type Place, readTomlList, type Table } from "./formats/toml-entries.ts";
import { joinHashes, withAddresses } from "./lock-sources.ts";
import {
  isRecord,
  type LockedPackage,
  type LockFileFault,
  type LockReading,
  lockedPackage,
  sourceOf,
  textOf,
} from "./locked-package.ts";
import { pythonName } from "./python-name.ts";

/** What Cargo, Poetry, uv and PDM write at the top. */
const SECTIONS: ReadonlySet<string> = new Set([
  ...["package", "metadata", "version", "revision", "extras", "root", "patch", "manifest", "options", "conflicts"],
  ...["requires-python", "resolution-markers", "supported-markers", "required-markers"],
]);

/** `Cargo.lock`, `poetry.lock`, `uv.lock` and `pdm.lock`: tables of the name `package`. */
export function readTomlLock(ecosystem: Ecosystem): (text: string) => LockReading | LockFileFault {
  const read = (entry: Table, place: Place, lock: Table) => {
    const files = isRecord(lock.metadata) && isRecord(lock.metadata.files) ? lock.metadata.files : {};
    return readEntry(ecosystem, entry, place, files);
  };
  return (text) => readTomlList(text, { list: "package", sections: SECTIONS, isOptional: true, read });
}

/** @returns undefined for what is no entry of a package */
function readEntry(ecosystem: Ecosystem, entry: Table, place: Place, files: Table): LockedPackage[] | undefined {
  const written = textOf(entry.name);
  const version = textOf(entry.version);
  if (written === undefined) return undefined;
  const name = ecosystem === "PyPI" ? pythonName(written) : written;
  const source = isRecord(entry.source) ? entry.source : {};
  // A project of a workspace has no version where it is computed.
  if (version === undefined) return [];
  // PDM writes without a table where a package comes from.
  const address = addressOf(entry.source) ?? (entry.source === undefined ? addressOf(entry) : undefined);
  // A crate without a source is one of the workspace itself.
  const local =
    ecosystem === "crates.io" ? textOf(entry.source) === undefined : "virtual" in source || "editable" in source;
  const archives = [entry.wheels, entry.sdist, entry.files, ...filesOf(files, written, version)]
    .flat()
    .filter(isRecord);
  const checksum = textOf(entry.checksum);
  const hashes = [checksum && `sha256-${checksum}`, ...archives.map(({ hash }) => textOf(hash))];
  const one = lockedPackage({
    ...{ ecosystem, name, version, address, ...place, ...joinHashes(hashes) },
    source: local ? "link" : sourceOf(address),
  });
  if (one.source !== "registry") return [one];
  return withAddresses(one, [registryOf(entry.source), ...archives.map(({ url }) => textOf(url))]);
}

/** Early versions of Poetry list the files of all packages at the end, and so do those of PDM, by name and version. */
function filesOf(files: Table, name: string, version: string): unknown[] {
  return [files[name], files[`${name} ${version}`]];
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
