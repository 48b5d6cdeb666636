import type { Observation } from "../domain/findings.ts";
import type { ChangedFile } from "../domain/hunks.ts";
import type { LayerReport, PackageLookups, ReviewCoverage, UncoveredFile } from "../domain/review-report.ts";
import type { Analyser, AnalyserResult } from "./analyser.ts";
import { UNPARSED } from "./child/protocol.ts";
import type { CacheCounts } from "./open-analysis-cache.ts";
import type { SourceFile } from "./source-file.ts";

/** What became of one analyser: its result, or why there is none. */
export interface AnalyserRun {
  readonly analyser: Analyser;
  readonly outcome: AnalyserResult | { readonly failure: string };
  readonly cache?: CacheCounts;
  /** Paths of the files that it read to the end. */
  readonly read?: readonly string[];
}

/** The state of a layer (GH-11a): failed when none of its analysers read anything, partly when one did not run or left something out. */
export function reportLayer(layer: "static" | "security", runs: readonly AnalyserRun[]): LayerReport {
  const ours = runs.filter(({ analyser }) => analyser.layer === layer);
  const failures = ours.flatMap(({ analyser, outcome }) =>
    "failure" in outcome ? [`${analyser.name} did not run: ${outcome.failure}`] : [],
  );
  const left = ours.flatMap(({ analyser, outcome }) => {
    const gaps = "failure" in outcome ? [] : outcome.problems.filter(({ gap }) => gap);
    const files = gaps.filter(({ file }) => file !== undefined).length;
    const others = gaps.flatMap(({ file, reason }) => (file === undefined ? [`${analyser.name}: ${reason}`] : []));
    return [...(files === 0 ? [] : [`${analyser.name} left out ${countFiles(files)}`]), ...others];
  });
  const reasons = [...failures, ...left];
  const worked = ours.some(({ outcome }) => "filesRead" in outcome && outcome.filesRead > 0);
  const state = reasons.length === 0 ? "ran" : worked ? "partly" : "failed";
  return {
    layer,
    state,
    ...(reasons.length === 0 ? {} : { reason: reasons.join("; ") }),
    // One that could not do its whole work is not named: what it found earlier and does not find now is not proven gone.
    tools: ours.flatMap(({ analyser, outcome }) =>
      "failure" in outcome || outcome.idle || outcome.problems.some(({ file, gap }) => gap && file === undefined)
        ? []
        : [{ name: analyser.name, version: analyser.version, files: outcome.filesRead }],
    ),
  };
}

/** Files that an analyser should have read and did not. */
export function unreadFiles(runs: readonly AnalyserRun[]): UncoveredFile[] {
  return runs.flatMap(({ outcome }) =>
    "failure" in outcome
      ? []
      : outcome.problems.flatMap(({ file, reason, gap }) => (file === undefined ? [] : [{ path: file, reason, gap }])),
  );
}

/** What the analysers want people to know, each once. */
export function collectNotes(runs: readonly AnalyserRun[]): string[] {
  return [...new Set(runs.flatMap(({ outcome }) => ("failure" in outcome ? [] : (outcome.notes ?? []))))];
}

/** How many packages were looked up, and how many were not. */
export function packagesOf(runs: readonly AnalyserRun[]): PackageLookups | undefined {
  return runs.flatMap(({ outcome }) => ("failure" in outcome ? [] : (outcome.packages ?? [])))[0];
}

/** One line for a file, with all its reasons; it is a gap when one of them is. */
export function mergeUncovered(uncovered: readonly UncoveredFile[]): UncoveredFile[] {
  const byPath = new Map<string, UncoveredFile>();
  for (const file of uncovered) {
    const earlier = byPath.get(file.path);
    // Several tools say the same of a file that does not parse.
    const known = earlier?.reason.split("; ").includes(file.reason) ?? false;
    const merged = earlier && {
      path: file.path,
      reason: known ? earlier.reason : `${earlier.reason}; ${file.reason}`,
      gap: earlier.gap || file.gap,
    };
    byPath.set(file.path, merged ?? file);
  }
  return [...byPath.values()].sort((a, b) => Number(b.gap) - Number(a.gap) || (a.path < b.path ? -1 : 1));
}

/** Counts of files and added lines, in all and without the uncovered ones. */
export function countCovered(
  files: readonly ChangedFile[],
  uncovered: readonly UncoveredFile[],
): Pick<ReviewCoverage, "files" | "filesCovered" | "addedLines" | "addedLinesCovered"> {
  const missing = new Set(uncovered.map(({ path }) => path));
  const covered = files.filter(({ path }) => !missing.has(path));
  const added = (some: readonly ChangedFile[]) => some.reduce((sum, { addedLines }) => sum + addedLines, 0);
  return {
    files: files.length,
    filesCovered: covered.length,
    addedLines: added(files),
    addedLinesCovered: added(covered),
  };
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

/** Whether a file was left out because a parser gave up on it. */
export function isUnparsed({ reason }: Pick<UncoveredFile, "reason">): boolean {
  return reason.endsWith(UNPARSED);
}

/**
 * Of the files that were not read, those that do not parse are gaps where no finding blames the change: they may run
 * somewhere, and their dangers were not looked for. Templates become code elsewhere, types of Flow are a language of their own, and tests
 * keep broken code on purpose.
 */
export function unparsedFiles(
  unread: readonly UncoveredFile[],
  reported: readonly Observation[],
  files: ReadonlyMap<string, SourceFile>,
): UncoveredFile[] {
  const broken = new Set(reported.filter(({ rule }) => rule.endsWith("/syntax")).map(({ file }) => file));
  return unread.map((file) => {
    const source = files.get(file.path);
    const explained = source === undefined || broken.has(file.path) || source.test || isOtherwise(source);
    return isUnparsed(file) && !explained ? { ...file, gap: true } : file;
  });
}

function isOtherwise({ path, text, aside }: SourceFile): boolean {
  return aside || path.includes("{{") || /\{%|\{\{/.test(text) || /@flow\b/.test(text.slice(0, 1_000));
}
