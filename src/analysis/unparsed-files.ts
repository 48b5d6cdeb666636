import type { Observation } from "../domain/findings.ts";
import type { UncoveredFile } from "../domain/review-report.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * Of the files that were not read, those that do not parse are gaps where nobody says that it is a fault of the change: they may run
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
    return UNPARSED.test(file.reason) && !explained ? { ...file, gap: true } : file;
  });
}

const UNPARSED = /\bit does not parse$/;

function isOtherwise({ path, text, aside }: SourceFile): boolean {
  return aside || path.includes("{{") || /\{%|\{\{/.test(text) || /@flow\b/.test(text.slice(0, 1_000));
}
