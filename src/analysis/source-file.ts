import { isUtf8 } from "node:buffer";
import { defined } from "../domain/defined.ts";
import type { ChangedFile, Hunk } from "../domain/hunks.ts";
import type { Classification } from "./classify-file.ts";
import type { Language } from "./languages.ts";
import { type LineSet, lineSet } from "./line-set.ts";

/** A changed file as analysers see it: text of the new side without its byte order mark. */
export interface SourceFile {
  readonly path: string;
  readonly status: ChangedFile["status"];
  readonly language?: Language;
  readonly aside?: true;
  readonly test: boolean;
  /** `secrets`: no parser gets it, so that only the search for secrets and the comparison of lock files look at it. */
  readonly look: "all" | "secrets";
  /** What it says of itself: "generated", "minified", "vendored". Nothing is said about its style. */
  readonly claims?: string;
  readonly text: string;
  /** The merge base's side, where there is one and it was given. */
  readonly oldText?: string;
  /** Ascending. */
  readonly addedLines: LineSet;
  readonly hunks: readonly Hunk[];
  /** Offset at which each line begins; index 0 is line 1. Lines end at a line feed only, as git and GitHub count them. */
  readonly lineStarts: readonly number[];
}

/**
 * Text of bytes that need not be UTF-8: what is not is read as latin1, which keeps every byte and every line where it was.
 * The byte order mark is not part of the text.
 */
export function decodeText(bytes: Buffer): string {
  if (bytes.subarray(0, 8_000).includes(0)) return textIn(bytes);
  const text = isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Of bytes that are no text: what a person could read in them, a run to a line. */
function textIn(bytes: Buffer): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = wide
    ? bytes.toString("utf16le")
    : bytes.toString("latin1").replace(/(?<=[\x20-\x7e])\0|\0(?=[\x20-\x7e]\0)/g, "");
  return (text.match(/[\x20-\x7e\t]{12,}/g) ?? []).join("\n");
}

export function createSourceFile(
  file: ChangedFile,
  classification: Classification & { readonly look: "all" | "secrets" },
  content: Buffer,
  oldContent?: Buffer,
): SourceFile {
  const text = decodeText(content);
  const { language, aside, test, look, claims } = classification;
  const lineStarts = findLineStarts(text);
  const hunks = classification.whole ? [wholeText(lineStarts.length)] : file.hunks;
  return {
    path: file.path,
    status: file.status,
    ...defined({ language, aside }),
    test,
    look,
    ...defined({ claims }),
    text,
    ...defined({ oldText: oldContent && decodeText(oldContent) }),
    addedLines: lineSet(hunks.flatMap((hunk) => hunk.added)),
    hunks,
    lineStarts,
  };
}

function wholeText(lines: number): Hunk {
  return { newStart: 1, newEnd: lines, added: Array.from({ length: lines }, (_, at) => at + 1) };
}

export function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Line and column, both 1-based, columns in UTF-16 units, of an offset of the text. */
export function placeOf(lineStarts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
}

/** One line without its ending; empty when the file has no such line. */
export function lineText(file: Pick<SourceFile, "text" | "lineStarts">, line: number): string {
  const start = file.lineStarts[line - 1];
  if (start === undefined) return "";
  const next = file.lineStarts[line];
  const end = next === undefined ? file.text.length : next - 1;
  return file.text.slice(start, end > start && file.text.endsWith("\r", end) ? end - 1 : end);
}

/** The added line that is nearest to `line`, the upper of two equally near; undefined when nothing was added. */
export function nearestAddedLine(file: Pick<SourceFile, "addedLines">, line: number): number | undefined {
  let nearest: number | undefined;
  for (const added of file.addedLines) {
    if (nearest === undefined || Math.abs(added - line) < Math.abs(nearest - line)) nearest = added;
  }
  return nearest;
}

/** Paths that a person would read line by line; the others only a machine looks at. */
export function readablePaths(sources: ReadonlyMap<string, SourceFile>): ReadonlySet<string> {
  return new Set([...sources.values()].filter(({ look }) => look === "all").map(({ path }) => path));
}
