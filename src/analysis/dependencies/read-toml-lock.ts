import type { Ecosystem } from "./advisory-source.ts";
import { type LockedPackage, type LockFileFault, lockedPackage, sourceOf } from "./locked-package.ts";

/**
 * `Cargo.lock`, `poetry.lock`, `uv.lock` and `pdm.lock`: tables of the name `package`, printed by programs one field a line.
 */
export function readTomlLock(ecosystem: Ecosystem): (text: string) => readonly LockedPackage[] | LockFileFault {
  return (text) => {
    const lines = text.split("\n");
    const starts = lines.flatMap((line, index) => (/^\[\[package\]\]\s*$/.test(line) ? [index] : []));
    if (starts.length === 0 && text.includes("[[")) return { fault: "it lists no packages" };
    return starts.flatMap((start, at) => {
      let end = starts[at + 1] ?? lines.length;
      while (end > start + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
      return readEntry(ecosystem, lines.slice(start, end).join("\n"), start + 1, end);
    });
  };
}

function readEntry(ecosystem: Ecosystem, body: string, line: number, endLine: number): LockedPackage[] {
  const field = (name: string) => new RegExp(`^${name} = "([^"]*)"`, "m").exec(body)?.[1];
  const name = field("name");
  const version = field("version");
  if (name === undefined || version === undefined) return [];
  const address = addressOf(body, field);
  // A crate without a source is one of the workspace itself.
  const local =
    ecosystem === "crates.io" ? field("source") === undefined : /^source = \{ (?:virtual|editable) =/m.test(body);
  const checksum = field("checksum");
  return [
    lockedPackage({
      ecosystem,
      name,
      version,
      source: local ? "link" : sourceOf(address),
      address,
      integrity: checksum === undefined ? undefined : `sha256-${checksum}`,
      line,
      endLine,
    }),
  ];
}

/** Cargo: `source = "git+https://..."`; uv: `source = { git = "..." }`; poetry: a table of its own. Registries give no address. */
function addressOf(body: string, field: (name: string) => string | undefined): string | undefined {
  const written = field("source");
  if (written !== undefined) return /^(?:registry|sparse)\+/.test(written) ? undefined : written;
  const inline = /^source = \{ (git|url|path|directory) = "([^"]*)"/m.exec(body);
  if (inline) return `${PREFIX[inline[1] ?? ""] ?? ""}${inline[2]}`;
  const type = /^\[package\.source\]\s*\ntype = "(git|url|file|directory)"\s*\nurl = "([^"]*)"/m.exec(body);
  return type ? `${PREFIX[type[1] ?? ""] ?? ""}${type[2]}` : undefined;
}

const PREFIX: Readonly<Record<string, string>> = { git: "git+", path: "file:", directory: "link:", file: "file:" };
