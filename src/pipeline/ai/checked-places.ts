import { languageOf } from "../../analysis/languages.ts";
import { cleanPath } from "../../workspace/files/clean-path.ts";
import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";

/** A place of an answer that is there. */
export interface CheckedPlace {
  readonly path: string;
  readonly line: number;
}

export interface CheckedAnswer {
  /** The answer. A place that was not found is marked there and loses its line. */
  readonly text: string;
  /** In the order of the text, each once. */
  readonly places: readonly CheckedPlace[];
  /** Places that are not there, or could not be looked up. */
  readonly missing: number;
}

/** In a code span, or as a word of its own, also in bold. A path with blanks or brackets is known in a code span only. */
const WORDS = /`[^`\n]{1,400}`|[^\s`"'()<>[\]{}|;*]{1,400}/g;

/** What may join two places in one word. */
const BETWEEN = /^[\s,;+&>→–-]{1,6}(?:and )?/;

/**
 * Looks up each `path:line` that a model named, so readers can trust what they see.
 * @param shown the path as readers can open it
 */
export async function checkPlaces(
  answer: string,
  files: Pick<RepositoryFiles, "list" | "readMany">,
  signal: AbortSignal,
  shown: (path: string) => string = (path) => path,
): Promise<CheckedAnswer> {
  const listed = await files.list(signal);
  const known = new Set(listed.ok ? listed.paths : []);
  // A list that was cut does not show that a file is missing.
  const isAll = listed.ok && !listed.truncated;
  const named = [...answer.matchAll(WORDS)].flatMap(([word]) => placesIn(word, known));
  const wanted = [...new Set(named.map(({ path }) => path))].filter((path) => known.has(path));
  const contents = await files.readMany(wanted, signal);
  const lines = new Map([...contents].map(([path, content]) => [path, linesOf(content)]));
  const places = new Map<string, CheckedPlace>();
  let missing = 0;
  const tell = (place: NamedPlace, tick: string) => {
    const { path, numbers, rest, between } = place;
    const wrong = faultOf(place, { known, isAll }, lines);
    if (wrong !== undefined) {
      missing += 1;
      return `${tick}${shown(path)}${tick} (${wrong})${tick === "" ? rest.replace(/^:\d{1,7}/, "") : ""}${between}`;
    }
    for (const line of linesIn(numbers).slice(0, 1)) places.set(`${path}:${line}`, { path, line });
    return `${tick}${shown(path)}:${numbers}${rest}${tick}${between}`;
  };
  const text = answer.replace(WORDS, (word) => {
    const found = placesIn(word, known);
    if (found.length === 0) return word;
    const tick = word.startsWith("`") ? "`" : "";
    return found.map((place) => tell(place, tick)).join("");
  });
  return { text, places: [...places.values()], missing };
}

interface NamedPlace {
  readonly path: string;
  /** "12", "12-15", "12,15". */
  readonly numbers: string;
  /** What follows them in the word. */
  readonly rest: string;
  /** What stands between it and the next place of the same word. */
  readonly between: string;
}

/** All places of a word, such as the two of `a.ts:3,b.ts:9`. Empty where it does not begin with one. */
function placesIn(word: string, known: ReadonlySet<string>): NamedPlace[] {
  const found: NamedPlace[] = [];
  let left = word.startsWith("`") ? word.slice(1, -1) : word;
  for (;;) {
    const place = placeIn(left, known);
    if (place === undefined) return found;
    const column = /^:\d{1,7}/.exec(place.rest)?.[0] ?? "";
    const between = BETWEEN.exec(place.rest.slice(column.length))?.[0];
    const next = between === undefined ? "" : place.rest.slice(column.length + between.length);
    if (between === undefined || placeIn(next, known) === undefined) return [...found, place];
    found.push({ ...place, rest: column, between });
    left = next;
  }
}

function placeIn(inner: string, known: ReadonlySet<string>): NamedPlace | undefined {
  const colon = inner.search(/:\d|[:#]L\d/);
  const from = colon + (inner[colon + 1] === "L" ? 2 : 1);
  // As GitHub writes them too: `#L12-L15`.
  const written = /^\d{1,7}(?:[-–,]L?\d{1,7}){0,9}/.exec(inner.slice(from))?.[0];
  if (colon < 1 || written === undefined || inner.includes("://")) return undefined;
  const before = inner.slice(0, colon);
  const clean = cleanPath(before);
  const path = clean.ok ? clean.path : before;
  if (!known.has(path) && !looksLikePath(path)) return undefined;
  return { path, numbers: written.replaceAll("L", ""), rest: inner.slice(from + written.length), between: "" };
}

/** False for an address such as `127.0.0.1:80`. */
function looksLikePath(written: string): boolean {
  if (languageOf(written) !== undefined) return true;
  return written.includes("/") && /\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(written);
}

function faultOf(
  { path, numbers }: NamedPlace,
  { known, isAll }: { readonly known: ReadonlySet<string>; readonly isAll: boolean },
  lines: ReadonlyMap<string, number>,
) {
  if (!known.has(path)) return isAll ? "no such file" : "file not checked";
  const most = lines.get(path);
  if (most === undefined) return "line not checked";
  const wrong = linesIn(numbers).find((line) => line < 1 || line > most);
  return wrong === undefined ? undefined : `no line ${wrong}`;
}

function linesIn(numbers: string): number[] {
  return numbers.split(/[-–,]/).map(Number);
}

function linesOf(content: Buffer): number {
  let lines = content.length > 0 && content.at(-1) !== 10 ? 1 : 0;
  for (let at = content.indexOf(10); at !== -1; at = content.indexOf(10, at + 1)) lines += 1;
  return lines;
}
