import { placesOf } from "../../domain/places-of.ts";
import type { Claim } from "./claims.ts";

export interface LineRange {
  readonly line: number;
  readonly endLine: number;
}

/** A quote further from the named line than this is taken only when it stands in the file exactly once. */
const NEAR_LINES = 5;

/**
 * Where the quoted code of a claim really stands (REV-4): models miscount lines, and they invent code. White space is not compared,
 * line numbers of a diff that were copied along are ignored. Undefined when the quote is nowhere, or in several places far away.
 * @param lines the new side of the file, without line breaks
 */
export function locateQuote(
  lines: readonly string[],
  { line, quote }: Pick<Claim, "line" | "quote">,
): LineRange | undefined {
  const wanted = trimBlank(quote.split(/\r?\n/).map((text) => normalise(withoutGutter(text))));
  // A lone bracket stands everywhere and says nothing.
  if (!wanted.some((text) => /\w/.test(text)) || wanted.length > lines.length) return undefined;
  const there = lines.map(normalise);
  const [only = ""] = wanted;
  const places =
    wanted.length > 1
      ? placesOf(there, wanted, { overlapping: true })
      : there.flatMap((text, at) => (matches(text, only) ? [at] : []));
  const starts = places.map((at) => at + 1);
  const distance = (start: number) => Math.abs(start - line);
  const nearest = starts.toSorted((a, b) => distance(a) - distance(b))[0];
  if (nearest === undefined || (starts.length > 1 && distance(nearest) > NEAR_LINES)) return undefined;
  return { line: nearest, endLine: nearest + wanted.length - 1 };
}

/** Part of a line is enough for a quote of one line, but not one character of it. */
function matches(there: string, wanted: string): boolean {
  return there === wanted || (wanted.length >= 8 && there.includes(wanted));
}

function normalise(text: string): string {
  return text.replace(/\s+/g, "");
}

/** `  12 + code` as the change is shown to the model, and `+code` as a diff has it. */
function withoutGutter(text: string): string {
  return text.replace(/^\s*\d+\s*[+ ]?\s?\|/, "");
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((text) => text !== "");
  const last = lines.findLastIndex((text) => text !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}
