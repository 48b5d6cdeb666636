import { applyFix } from "../../analysis/propose-fix.ts";
import { findLineStarts, lineText } from "../../analysis/source-file.ts";
import type { SuggestedFix } from "../../domain/findings.ts";
import type { FixLeftOut } from "../../domain/fixes.ts";

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
    const other = placed && places.find((taken) => overlaps(taken.fix, placed));
    if (!placed) left.push({ findingId, file: fix.file, why: "changed" });
    else if (other && !isSame(other.fix, placed)) {
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

/** Where its lines stand now: where they stood when the finding was made, or else in the one other place that has them. */
function placeOf(source: Source, fix: SuggestedFix): SuggestedFix | undefined {
  const { startLine, endLine } = fix;
  const before = fix.before.split("\n");
  const length = endLine - startLine + 1;
  if (before.length !== length) return undefined;
  const lines = source.lineStarts.map((_, index) => lineText(source, index + 1));
  const standsAt = (line: number) => before.every((text, offset) => lines[line - 1 + offset] === text);
  if (standsAt(startLine)) return fix;
  // Lines above came or went. A lone bracket stands everywhere and says nothing.
  if (!/\w/.test(fix.before)) return undefined;
  const others = lines.flatMap((_, index) => (standsAt(index + 1) ? [index + 1] : []));
  const [only] = others;
  return only !== undefined && others.length === 1
    ? { ...fix, startLine: only, endLine: only + length - 1 }
    : undefined;
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
