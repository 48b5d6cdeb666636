import { applyFix } from "../../../analysis/propose-fix.ts";
import { findLineStarts, lineText } from "../../../analysis/source-file.ts";
import { editsOf, type SuggestedEdit, type SuggestedFix, touchSameLines } from "../../../domain/findings.ts";
import type { FixLeftOut } from "../../../domain/fixes.ts";

export interface WantedFix {
  readonly findingId: string;
  readonly fix: SuggestedFix;
}

export interface Fitted {
  /** Of each file what it becomes; those that stay as they are too. */
  readonly texts: ReadonlyMap<string, string>;
  readonly applied: readonly WantedFix[];
  readonly left: readonly FixLeftOut[];
}

/**
 * The texts of files with those fixes that fit: what a fix replaces must stand there, letter by letter, and all of its edits are applied or
 * none. Of two that change the same lines the first is taken; two that say the same count both.
 * @param texts by path; a file that is missing is none that can be changed
 * @param wanted most important first
 */
export function fitFixes(texts: ReadonlyMap<string, string>, wanted: readonly WantedFix[]): Fitted {
  const applied: WantedFix[] = [];
  const left: FixLeftOut[] = [];
  const places: { readonly findingId: string; readonly edit: SuggestedEdit }[] = [];
  const sources = new Map([...texts].map(([path, text]) => [path, { text, lineStarts: findLineStarts(text) }]));
  for (const one of wanted) {
    const { findingId, fix } = one;
    const fresh: SuggestedEdit[] = [];
    let refused: FixLeftOut | undefined;
    for (const edit of editsOf(fix)) {
      const source = sources.get(edit.file);
      const placed = source ? placeOf(source, edit) : "no_file";
      const other = typeof placed === "string" ? undefined : places.find((taken) => touchSameLines(taken.edit, placed));
      if (typeof placed === "string") refused ??= { findingId, file: edit.file, why: placed };
      else if (other && !isSame(other.edit, placed))
        refused ??= { findingId, file: edit.file, why: "overlaps", what: other.findingId };
      else if (!other) fresh.push(placed);
    }
    if (refused) left.push(refused);
    else {
      applied.push(one);
      places.push(...fresh.map((edit) => ({ findingId, edit })));
    }
  }
  const changed = new Map(texts);
  // From the end, so that the lines of those before stay where they are.
  for (const { edit } of places.toSorted((a, b) => b.edit.startLine - a.edit.startLine))
    changed.set(edit.file, replace(changed.get(edit.file) ?? "", edit));
  return { texts: changed, applied, left };
}

type Source = Parameters<typeof lineText>[0];

/**
 * Where its lines stand now, if that is one place only: the place is that of the head on which the finding was first seen, and lines above may
 * have come or gone since.
 */
function placeOf(source: Source, fix: SuggestedEdit): SuggestedEdit | "changed" | "ambiguous" {
  const { startLine, endLine } = fix;
  const before = fix.before.split("\n");
  const length = endLine - startLine + 1;
  if (before.length !== length) return "changed";
  const lines = source.lineStarts.map((_, index) => lineText(source, index + 1));
  const places = lines.flatMap((_, at) =>
    before.every((text, offset) => lines[at + offset] === text) ? [at + 1] : [],
  );
  const [only, ...more] = places;
  if (only === undefined) return "changed";
  // A lone bracket says nothing, wherever else it stands.
  if (only !== startLine && !/\w/.test(fix.before)) return "changed";
  return more.length > 0 ? "ambiguous" : { ...fix, startLine: only, endLine: only + length - 1 };
}

function isSame(one: SuggestedEdit, other: SuggestedEdit): boolean {
  return one.startLine === other.startLine && one.endLine === other.endLine && one.after === other.after;
}

/** With the line endings of the lines that it replaces. */
function replace(text: string, fix: SuggestedEdit): string {
  const source = { text, lineStarts: findLineStarts(text) };
  const end = source.lineStarts[fix.startLine];
  const isWindows = end !== undefined && text.slice(0, end).endsWith("\r\n");
  return applyFix(source, isWindows ? { ...fix, after: fix.after.replace(/\r?\n/g, "\r\n") } : fix);
}
