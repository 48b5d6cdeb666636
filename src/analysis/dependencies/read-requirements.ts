import { joinHashes } from "./lock-sources.ts";
import { type LockedPackage, type LockReading, lockedPackage, lockReading, sourceOf } from "./locked-package.ts";
import { pythonName } from "./python-name.ts";
import { parseRequirement, type Requirement } from "./requirement.ts";
import { isListPath, readRequirementOption } from "./requirement-options.ts";

/** A requirement may go on over lines that end with a backslash. */
export interface RequirementLine {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

/** `requirements*.txt` and what lies in a folder of that name: what is pinned, and what comes from elsewhere. */
export function readRequirements(text: string): LockReading {
  let strange = Number.POSITIVE_INFINITY;
  let elsewhere = Number.POSITIVE_INFINITY;
  const packages = requirementLines(text).flatMap(({ text: entry, line, endLine }): LockedPackage[] => {
    const option = entry.startsWith("-") ? readRequirementOption(entry) : undefined;
    if (option !== undefined && option.kind !== "package") {
      // A list from elsewhere has packages that nobody sees here.
      if (option.kind === "list" && !isListPath(option.path)) elsewhere = Math.min(elsewhere, line);
      return [];
    }
    const written = option?.entry ?? entry;
    const found = parseRequirement(written);
    if (found === undefined) strange = Math.min(strange, line);
    return found === undefined ? [] : packageOf(found, { line, endLine, ...hashesIn(written) });
  });
  // A text about what a product has to do bears the same name, and pins nothing.
  return lockReading(packages, packages.length === 0 ? elsewhere : Math.min(strange, elsewhere), { text });
}

/** The lines as pip joins them, without comments; empty ones are left out. */
export function requirementLines(text: string): RequirementLine[] {
  const lines: RequirementLine[] = [];
  let parts: string[] = [];
  let start = 0;
  for (const [index, written] of text.split("\n").entries()) {
    const line = written.trimEnd();
    if (parts.length === 0) start = index + 1;
    const isComment = line.trimStart().startsWith("#");
    const goesOn = line.endsWith("\\") && !isComment;
    parts.push(goesOn ? line.slice(0, -1) : withoutComment(line));
    if (goesOn) continue;
    const entry = parts.join(" ").trim();
    if (entry !== "") lines.push({ text: entry, line: start, endLine: index + 1 });
    parts = [];
  }
  const entry = parts.join(" ").trim();
  return entry === "" ? lines : [...lines, { text: entry, line: start, endLine: start + parts.length - 1 }];
}

/** A comment begins at the margin or behind a space: `#egg=` belongs to an address. */
function withoutComment(line: string): string {
  for (let at = line.indexOf("#"); at !== -1; at = line.indexOf("#", at + 1)) {
    if (at === 0 || line[at - 1] === " " || line[at - 1] === "\t") return line.slice(0, at);
  }
  return line;
}

function packageOf(
  { name, version, address }: Requirement,
  place: { readonly line: number; readonly endLine: number; readonly integrity?: string },
): LockedPackage[] {
  if (address === undefined) {
    if (name === undefined || version === undefined) return [];
    return [lockedPackage({ ecosystem: "PyPI", name, version, source: "registry", ...place })];
  }
  const source = sourceOf(address);
  const told = name ?? pythonName(address.slice(address.lastIndexOf("/") + 1));
  // A path that starts with a dot leads to a folder of the repository itself.
  const from = isPath(address) ? "link" : source === "registry" ? "url" : source;
  return [lockedPackage({ ecosystem: "PyPI", name: told, version: address, source: from, address, ...place })];
}

/** Each `--hash=sha256:...` is one archive that pip takes; the other options are not read here. */
function hashesIn(entry: string): { readonly integrity?: string } {
  const words = entry.split(/\s+/);
  return joinHashes(
    words.map((word, at) => {
      if (word.startsWith("--hash=")) return word.slice("--hash=".length);
      return words[at - 1] === "--hash" ? word : undefined;
    }),
  );
}

function isPath(address: string): boolean {
  return address.startsWith(".") && !/\.(?:whl|zip|tar\.gz)$/.test(address);
}
