import type { Observation } from "../domain/findings.ts";
import type { AnalyserContext } from "./analyser.ts";
import type { SyntaxResult } from "./child/protocol.ts";
import { addedLinesOnly } from "./filter-observations.ts";
import { applyFix } from "./propose-fix.ts";
import { runInChild } from "./reader/run-in-child.ts";
import type { SourceFile } from "./source-file.ts";

/** A review shows 20 comments and as many suggestions; parsing more patched files is time for nothing. */
const MOST_FIXES = 100;

/** The observations on added lines, each with its fix only when the file still parses with that fix applied (REV-4). */
export async function keepParsingFixes(
  observations: readonly Observation[],
  files: readonly SourceFile[],
  context: AnalyserContext,
): Promise<Observation[]> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const relevant = addedLinesOnly(observations, byPath);
  const patched = relevant.flatMap(({ file, fix }, id) => {
    const source = byPath.get(file);
    const dialect = source?.language?.dialect;
    return fix && source && dialect ? [{ id, text: applyFix(source, fix), dialect }] : [];
  });
  if (patched.length === 0) return relevant;
  const { results } = await runInChild<SyntaxResult>("syntax", patched.slice(0, MOST_FIXES), context);
  return relevant.map((observation, id) => {
    if (observation.fix === undefined || results.get(id) === null) return observation;
    const { fix: _unproven, ...rest } = observation;
    return rest;
  });
}
