import { readToml } from "../../../workspace/parse-toml.ts";
import { runsPrograms } from "../../runs-programs.ts";
import { isRecord, type LockedPackage, type LockFileFault, type LockReading, lockReading } from "../locked-package.ts";

export type Table = Readonly<Record<string, unknown>>;

/** Each time the entry around the fault is left out; a file with more of them is no lock file. */
const MOST_FAULTS = 3;

/** What a lock file of TOML has. */
export interface TomlForm {
  /** The key of its list of packages. */
  readonly list: string;
  /** All keys that programs write at the top. */
  readonly sections: ReadonlySet<string>;
  /** Without any package nobody writes the key. */
  readonly isOptional?: boolean;
  /** What it must say at the top besides, for instance of its version. */
  readonly isOne?: (lock: Table) => boolean;
  /** @returns undefined for what is no entry of a package */
  readonly read: (entry: Table, place: Place, lock: Table) => readonly LockedPackage[] | undefined;
}

/** The lines of an entry, 1-based. */
export interface Place {
  readonly line: number;
  readonly endLine: number;
}

/** The packages of a lock file of TOML, with the places of their entries. */
export function readTomlList(text: string, form: TomlForm): LockReading | LockFileFault {
  const { lock, lines, strange: unread } = parseAround(text);
  if (lock === undefined) return { fault: "it is not TOML", ...(unread === undefined ? {} : { line: unread }) };
  const entries = lock[form.list] ?? (form.isOptional && !lines.some((line) => line.startsWith("[[")) ? [] : undefined);
  if (!Array.isArray(entries) || form.isOne?.(lock) === false) return { fault: "it lists no packages" };
  const places = findPlaces(lines, form.list);
  // Fewer or more than there are packages where a text looks like an entry, or an entry has another form.
  const isKnown = places.length === entries.length;
  let strange = unread ?? Number.POSITIVE_INFINITY;
  const unknown = Object.keys(lock).filter((section) => !form.sections.has(section));
  if (unknown.length > 0) strange = Math.min(strange, lineOfSection(lines, unknown));
  const packages = entries.flatMap((entry: unknown, at) => {
    const place = (isKnown ? places[at] : undefined) ?? { line: 1, endLine: 1 };
    const found = isRecord(entry) ? form.read(entry, place, lock) : undefined;
    if (found === undefined || holdsCode(entry as Table)) strange = Math.min(strange, place.line);
    return found ?? [];
  });
  return lockReading(packages, strange, { table: lock });
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
function findPlaces(lines: readonly string[], name: string): Place[] {
  const head = `[[${name}]]`;
  const starts = lines.flatMap((line, index) => (line.startsWith(head) && line.trimEnd() === head ? [index] : []));
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
