import { applyFix } from "../../../analysis/propose-fix.ts";
import { findLineStarts, lineText } from "../../../analysis/source-file.ts";
import type { SuggestedFix } from "../../../domain/findings.ts";
import type { FixLeftOut } from "../../../domain/fixes.ts";

export interface WantedFix {
  readonly findingId: string;
  readonly fix: SuggestedFix;
}

export interface Fitted {
  readonly text: string;
  readonly applied: readonly WantedFix[];
  readonly left: readonly FixLeftOut[];
}

/**
 * The text of a file with those of its fixes that fit: what a fix replaces must stand there, letter by letter. Of two that change the same
 * lines the first is taken; two that say the same count both.
 * @param wanted most important first, all of this file
 */
export function fitFixes(text: string, wanted: readonly WantedFix[]): Fitted {
  const applied: WantedFix[] = [];
  const left: FixLeftOut[] = [];
  const places: WantedFix[] = [];
  const source = { text, lineStarts: findLineStarts(text) };
  for (const one of wanted) {
    const { findingId, fix } = one;
    const placed = placeOf(source, fix);
    if (typeof placed === "string") {
      left.push({ findingId, file: fix.file, why: placed });
      continue;
    }
    const other = places.find((taken) => overlaps(taken.fix, placed));
    if (other && !isSame(other.fix, placed)) {
      left.push({ findingId, file: fix.file, why: "overlaps", what: other.findingId });
    } else {
      applied.push(one);
      if (!other) places.push({ findingId, fix: placed });
    }
  }
  // From the end, so that the lines of those before stay where they are.
  const fromTheEnd = places.toSorted((a, b) => b.fix.startLine - a.fix.startLine);
  return { text: fromTheEnd.reduce((now, { fix }) => replace(now, fix), text), applied, left };
}

type Source = Parameters<typeof lineText>[0];

/**
 * Where its lines stand now, if that is one place only: the place is that of the head on which the finding was first seen, and lines above may
 * have come or gone since.
 */
function placeOf(source: Source, fix: SuggestedFix): SuggestedFix | "changed" | "ambiguous" {
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

function overlaps(one: SuggestedFix, other: SuggestedFix): boolean {
  return one.startLine <= other.endLine && other.startLine <= one.endLine;
}

function isSame(one: SuggestedFix, other: SuggestedFix): boolean {
  return one.startLine === other.startLine && one.endLine === other.endLine && one.after === other.after;
}

/** With the line endings of the lines that it replaces. */
function replace(text: string, fix: SuggestedFix): string {
  const source = { text, lineStarts: findLineStarts(text) };
  const end = source.lineStarts[fix.startLine];
  const isWindows = end !== undefined && text.slice(0, end).endsWith("\r\n");
  return applyFix(source, isWindows ? { ...fix, after: fix.after.replace(/\r?\n/g, "\r\n") } : fix);
}
