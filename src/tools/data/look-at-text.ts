import { stripHidden } from "./strip-hidden.ts";
import { seenOf, withoutSelectors } from "./unread-lines.ts";

/** By which numbers lines with invisible characters are named: those of their places, those that `presentFile` wrote before them, or none. */
export type LineNames = "places" | "written" | "none";

export interface TextToLookAt {
  readonly text: string;
  /** Markdown or HTML that people read as a page. */
  readonly prose: boolean;
  readonly names: LineNames;
}

/** A text as people see it, before it is redacted. */
export interface SeenText {
  /** Of as many lines as the given one. */
  readonly text: string;
  /** Lines whose invisible characters are named in `leftOut`, from 1. */
  readonly named: readonly number[];
  /** What was left out, in a sentence for the model; undefined when nothing was. */
  readonly leftOut: string | undefined;
}

/** The number before a line that will be there, as `presentFile` writes it. */
export const WRITTEN_NUMBER = /^ *(\d+) [ +]\|/;

/** Lines, and kinds of characters in each, that are named; more are counted. */
const MOST_NAMED = 10;

/** Takes out what people do not see: characters, and in prose what a page does not show. Line numbers stay those of git. */
export function lookAtText({ text, prose, names }: TextToLookAt): SeenText {
  const stripped = prose ? stripHidden(text) : { text, comments: 0, hidden: 0 };
  const named: number[] = [];
  const places: string[] = [];
  let [characters, more] = [0, false];
  const lines = stripped.text.split("\n").map((line, at) => {
    if (/^[\t\x20-\x7e]*\r?$/.test(line)) return line.endsWith("\r") ? line.slice(0, -1) : line;
    const seen = withoutSelectors(line);
    const visible = seenOf(line);
    if (visible.length === seen.length) return visible;
    characters += seen.length - visible.length;
    const number = numberOf(visible, at + 1, names);
    if (number === undefined) more = true;
    else if (named.length === MOST_NAMED) more = true;
    else {
      named.push(at + 1);
      places.push(`line ${number}: ${listed(invisibleCodes(seen))}`);
    }
    return visible;
  });
  const where = places.length === 0 ? "" : ` (${places.join("; ")}${more ? "; ..." : ""})`;
  const parts = [
    ...(characters === 0 ? [] : [counted(characters, "invisible character") + where]),
    ...(stripped.comments === 0 ? [] : [counted(stripped.comments, "HTML comment")]),
    ...(stripped.hidden === 0
      ? []
      : [counted(stripped.hidden, "hidden text or attribute", "hidden texts or attributes")]),
  ];
  const leftOut = parts.length === 0 ? undefined : `Left out of this text, as nobody sees it: ${parts.join(", ")}.`;
  return { text: lines.join("\n"), named, leftOut };
}

function numberOf(line: string, place: number, names: LineNames): number | undefined {
  if (names === "places") return place;
  return names === "none" ? undefined : Number(WRITTEN_NUMBER.exec(line)?.[1] ?? Number.NaN) || undefined;
}

function invisibleCodes(line: string): string[] {
  const codes = new Set<string>();
  for (const character of new Set(line))
    if (character !== "\t" && seenOf(character) === "")
      codes.add(`U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`);
  return [...codes];
}

function listed(codes: readonly string[]): string {
  return `${codes.slice(0, MOST_NAMED).join(", ")}${codes.length > MOST_NAMED ? ", ..." : ""}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
