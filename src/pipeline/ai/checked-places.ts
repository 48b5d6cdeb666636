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

/** Between what a code span says first and a place in it: `parse(text), src/a.ts:3`. */
const BEFORE = /[\s,;:="'([]/;

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
    const { lead, path, numbers, rest, between } = place;
    const wrong = faultOf(place, { known, isAll }, lines);
    if (wrong !== undefined) {
      missing += 1;
      const said = rest.replace(/^:\d{1,7}/, "");
      const marked = `${tick}${shown(path)}${tick} (${wrong})`;
      if (tick === "") return `${lead}${marked}${said}${between}`;
      return [...inSpan(lead), marked, ...inSpan(said)].join(" ") + between;
    }
    for (const line of linesIn(numbers).slice(0, 1)) places.set(`${path}:${line}`, { path, line });
    return `${tick}${lead}${shown(path)}:${numbers}${rest}${tick}${between}`;
  };
  const text = answer.replace(WORDS, (word) => {
    const found = placesIn(word, known);
    if (found.length === 0) return word;
    const tick = word.startsWith("`") ? "`" : "";
    return found.map((place) => tell(place, tick)).join("");
  });
  return { text, places: [...places.values()], missing };
}

/** The text around the place in a code span, as a span of its own. */
function inSpan(text: string): string[] {
  return text.trim() === "" ? [] : [`\`${text.trim()}\``];
}

interface NamedPlace {
  /** What the word says before it. */
  readonly lead: string;
  readonly path: string;
  /** "12", "12-15", "12,15". */
  readonly numbers: string;
  /** What follows them in the word. */
  readonly rest: string;
  /** What stands between it and the next place of the same word. */
  readonly between: string;
}

/** All places of a word, such as the two of `a.ts:3,b.ts:9`. Empty where none is in it. */
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
  if (inner.includes("://")) return undefined;
  for (const { index: colon } of inner.matchAll(/:(?=\d)|[:#](?=L\d)/g)) {
    const from = colon + (inner[colon + 1] === "L" ? 2 : 1);
    // As GitHub writes them too: `#L12-L15`.
    const written = /^\d{1,7}(?:[-–,]L?\d{1,7}){0,9}/.exec(inner.slice(from))?.[0];
    const named = pathAtEnd(inner.slice(0, colon), known);
    if (named === undefined || written === undefined) continue;
    return { ...named, numbers: written.replaceAll("L", ""), rest: inner.slice(from + written.length), between: "" };
  }
  return undefined;
}

/** The path that a text ends with, and what it says before it. A path may hold blanks and brackets: the longest that is there counts. */
function pathAtEnd(text: string, known: ReadonlySet<string>): Pick<NamedPlace, "lead" | "path"> | undefined {
  let last: Pick<NamedPlace, "lead" | "path"> | undefined;
  for (let from = 0; from < text.length; from += 1) {
    if (from > 0 && !BEFORE.test(text[from - 1] ?? "")) continue;
    const written = text.slice(from);
    const clean = cleanPath(written);
    const named = { lead: text.slice(0, from), path: clean.ok ? clean.path : written };
    if (known.has(named.path)) return named;
    // Behind a comma a new word begins, also where no such file is there; blanks and brackets may be parts of a name.
    if ((from === 0 || /[,;]$/.test(named.lead.trimEnd())) && looksLikePath(named.path)) last = named;
  }
  return last;
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
