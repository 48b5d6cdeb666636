import { parseToml } from "../../workspace/parse-toml.ts";
import type { Ecosystem } from "./advisory-source.ts";
import { isRecord, type LockedPackage, type LockFileFault, lockedPackage, sourceOf, textOf } from "./locked-package.ts";

type Table = Readonly<Record<string, unknown>>;

/** `Cargo.lock`, `poetry.lock`, `uv.lock` and `pdm.lock`: tables of the name `package`. */
export function readTomlLock(ecosystem: Ecosystem): (text: string) => readonly LockedPackage[] | LockFileFault {
  return (text) => {
    const lock = parseToml(text);
    if (lock === undefined) return { fault: "it is not TOML" };
    const { package: entries } = lock;
    if (!Array.isArray(entries)) return text.includes("[[") ? { fault: "it lists no packages" } : [];
    const places = findPlaces(text);
    // As many as there are packages, unless somebody wrote what looks like one into a text, or one in another form.
    const known = places.length === entries.length;
    return entries.flatMap((entry: unknown, at) => {
      const place = known ? places[at] : undefined;
      return isRecord(entry) ? readEntry(ecosystem, entry, place ?? { line: 1, endLine: 1 }) : [];
    });
  };
}

/** The lines of each entry, 1-based, as programs print them: the parser tells no places. */
function findPlaces(text: string): { line: number; endLine: number }[] {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, index) => (/^\[\[package\]\]\s*$/.test(line) ? [index] : []));
  return starts.map((start, at) => {
    let end = starts[at + 1] ?? lines.length;
    while (end > start + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
    return { line: start + 1, endLine: end };
  });
}

function readEntry(
  ecosystem: Ecosystem,
  entry: Table,
  place: { readonly line: number; readonly endLine: number },
): LockedPackage[] {
  const name = textOf(entry.name);
  const version = textOf(entry.version);
  if (name === undefined || version === undefined) return [];
  const source = isRecord(entry.source) ? entry.source : {};
  const address = addressOf(entry.source);
  // A crate without a source is one of the workspace itself.
  const local =
    ecosystem === "crates.io" ? textOf(entry.source) === undefined : "virtual" in source || "editable" in source;
  const checksum = textOf(entry.checksum);
  return [
    lockedPackage({
      ecosystem,
      name,
      version,
      source: local ? "link" : sourceOf(address),
      address,
      integrity: checksum === undefined ? undefined : `sha256-${checksum}`,
      ...place,
    }),
  ];
}

/** Cargo: `source = "git+https://..."`; uv: `source = { git = "..." }`; poetry: a table of its own. Registries give no address. */
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
