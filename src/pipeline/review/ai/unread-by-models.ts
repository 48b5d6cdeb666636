import type { AiReview } from "../../../agents/reviewer/ai-review.ts";
import type { UnreadLines } from "../../../agents/reviewer/show-change.ts";
import { mergeUncovered } from "../../../analysis/coverage.ts";
import { defined } from "../../../domain/defined.ts";
import { type ChangedFile, lineRanges } from "../../../domain/hunks.ts";
import type { LayerReport, ReviewCoverage, UncoveredFile } from "../../../domain/review-report.ts";

type Ranges = NonNullable<UncoveredFile["lines"]>;

/** Files that are named in the reason of a layer. */
const MOST_NAMED = 5;
/** Ranges of lines that are told of one file. */
const MOST_RANGES = 10;

/** Parts of the change that models were not shown, file by file (GH-11a). */
export function unreadByModels({ unread, tooLarge }: Pick<AiReview, "unread" | "tooLarge">): UncoveredFile[] {
  const large = tooLarge.map((path) => ({ path, reason: "too large for a model", gap: true }));
  const hidden = unread.map(({ path, lines }) => {
    const ranges = rangesOf(lines);
    return { path, reason: `${describeRanges(ranges)} hidden from models`, gap: true, lines: ranges };
  });
  return [...large, ...hidden];
}

/** "a.ts lines 3-40, b.ts line 7 and 2 more files". */
export function describeUnread(unread: readonly UnreadLines[]): string {
  const named = unread.slice(0, MOST_NAMED).map(({ path, lines }) => `${path} ${describeRanges(rangesOf(lines))}`);
  const rest = unread.length - named.length;
  return rest === 0 ? named.join(", ") : `${named.join(", ")} and ${rest} more ${rest === 1 ? "file" : "files"}`;
}

/** The coverage with what the AI layer came to, and without what it was not shown. */
export function withAiLayer(
  coverage: ReviewCoverage,
  layer: LayerReport,
  uncovered: readonly UncoveredFile[],
  files: readonly Pick<ChangedFile, "path" | "addedLines">[],
): ReviewCoverage {
  const layers = coverage.layers.map((each) => (each.layer === layer.layer ? layer : each));
  const known = new Set(coverage.uncovered.map(({ path }) => path));
  const added = new Map(files.map(({ path, addedLines }) => [path, addedLines]));
  const fresh = uncovered.filter(({ path }) => !known.has(path));
  const lines = fresh.reduce(
    (sum, file) => sum + (file.lines ? countLines(file.lines) : (added.get(file.path) ?? 0)),
    0,
  );
  const counts = {
    filesCovered: coverage.filesCovered - fresh.filter((file) => file.lines === undefined).length,
    addedLinesCovered: Math.max(0, coverage.addedLinesCovered - lines),
  };
  const { searchedOnly, ...rest } = coverage;
  // What it was shown and did not read whole is told as its own gap.
  const searched = defined({ searchedOnly: layer.state === "ran" ? undefined : searchedOnly });
  return {
    ...{ ...rest, ...searched, ...counts, layers },
    uncovered: mergeUncovered([...coverage.uncovered, ...uncovered]),
  };
}

function rangesOf(lines: readonly number[]): Ranges {
  return lineRanges(lines).map(([start, end]) => ({ start, end }));
}

function describeRanges(ranges: Ranges): string {
  const named = ranges.slice(0, MOST_RANGES).map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
  const one = ranges.length === 1 && ranges[0]!.start === ranges[0]!.end;
  return `${one ? "line" : "lines"} ${named.join(", ")}${ranges.length > MOST_RANGES ? ", ..." : ""}`;
}

function countLines(ranges: Ranges): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
}
