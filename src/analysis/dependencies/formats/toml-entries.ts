import { readToml } from "../../../workspace/parse-toml.ts";
import { runsPrograms } from "../../runs-programs.ts";

export type Table = Readonly<Record<string, unknown>>;

/** Each time the entry around the fault is left out; a file with more of them is no lock file. */
const MOST_FAULTS = 3;

/** The text as TOML, without the entries that are none. */
export function parseAround(text: string): { lock?: Table | undefined; lines: readonly string[]; strange?: number } {
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
export function findPlaces(lines: readonly string[], name: string): { line: number; endLine: number }[] {
  const head = `[[${name}]]`;
  const starts = lines.flatMap((line, index) => (line.startsWith(head) && line.trimEnd() === head ? [index] : []));
  return starts.map((start, at) => {
    let end = starts[at + 1] ?? lines.length;
    while (end > start + 1 && (lines[end - 1] ?? "").trim() === "") end -= 1;
    return { line: start + 1, endLine: end };
  });
}

/** The first line that begins with one of these keys, in brackets or not. */
export function lineOfSection(lines: readonly string[], keys: readonly string[]): number {
  const wanted = new Set(keys);
  const at = lines.findIndex((line) => wanted.has(/^\[{0,2}\s*["']?([\w-]+)/.exec(line)?.[1] ?? ""));
  return Math.max(0, at) + 1;
}

/** A description may have many lines, and they are prose. */
export function holdsCode(entry: Table): boolean {
  for (const field in entry) {
    const value = entry[field];
    if (typeof value === "string" && value.includes("\n") && runsPrograms(value)) return true;
  }
  return false;
}
