import { createHash } from "node:crypto";
import type { Observation } from "../domain/findings.ts";
import { takeTurns } from "../workspace/files/turns.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "./analyser.ts";
import type { AnalysisCache, CacheCounts } from "./open-analysis-cache.ts";
import { rulesVersion } from "./rules-version.ts";
import type { SourceFile } from "./source-file.ts";

/** Lets an analyser read only the files that it has not read before with the same text, the same added lines and the same rules. */
export async function analyseWithCache(
  analyser: Analyser,
  files: readonly SourceFile[],
  context: AnalyserContext,
  cache: AnalysisCache | undefined,
): Promise<{ readonly result: AnalyserResult; readonly counts: CacheCounts }> {
  if (cache === undefined || !analyser.readsFilesAlone) {
    return { result: await analyser.analyse(files, context), counts: { hits: 0, misses: 0 } };
  }
  const beside = await analyser.restsOn?.(files, context);
  const turn = takeTurns(TURN);
  const keys = new Map<SourceFile, string>();
  const known: Observation[] = [];
  const fresh: SourceFile[] = [];
  for (const file of files) {
    const key = keyOf(analyser, file, beside?.get(file.path));
    keys.set(file, key);
    await turn(file.text.length);
    const earlier = await cache.get(key);
    if (earlier === undefined) fresh.push(file);
    else known.push(...earlier);
  }
  const counts = { hits: files.length - fresh.length, misses: fresh.length };
  if (fresh.length === 0) return { result: { observations: known, filesRead: counts.hits, problems: [] }, counts };
  const all = await analyser.analyse(fresh, context);
  // What was found from one file in another that is known: it was kept there.
  const kept = new Set(files.filter((file) => !fresh.includes(file)).map(({ path }) => path));
  const result = { ...all, observations: all.observations.filter(({ file }) => !kept.has(file)) };
  const byFile = Map.groupBy(result.observations, ({ file }) => file);
  for (const file of fresh) {
    const own = byFile.get(file.path) ?? [];
    if (isWhole(file, result) && own.every(holdsNoText)) await cache.put(keys.get(file) ?? "", own);
  }
  return {
    result: {
      ...result,
      observations: [...known, ...result.observations],
      filesRead: result.filesRead + counts.hits,
    },
    counts,
  };
}

/** Hashing takes 2 ns a character: some 10 ms. */
const TURN = { most: 100, unitsOfStep: 50_000 };

/** What failed once is tried again, and so is everything when the failure names no file. */
function isWhole(file: SourceFile, { problems, notes = [] }: AnalyserResult): boolean {
  return notes.length === 0 && !problems.some((problem) => problem.file === undefined || problem.file === file.path);
}

/** A fix quotes lines of the repository, which do not belong on our disk: such a file is read again. */
function holdsNoText({ fix }: Observation): boolean {
  return fix === undefined;
}

const digests = new WeakMap<SourceFile, string>();

function keyOf({ name, version }: Analyser, file: SourceFile, beside = ""): string {
  // Several analysers ask for the same file; its text is hashed once.
  const digest = digests.get(file) ?? digestOf(file);
  digests.set(file, digest);
  return createHash("sha256").update([rulesVersion(), name, version, digest, beside].join("\0")).digest("hex");
}

/** Of all that an analyser sees of a file. The old text decides what counts as new, the added lines which suppressions are blanked. */
function digestOf(file: SourceFile): string {
  const hash = createHash("sha256");
  const added = [...file.addedLines].join(",");
  for (const fact of [
    file.path,
    file.language?.dialect ?? "",
    String(file.test),
    added,
    file.text,
    file.oldText ?? "",
  ]) {
    hash.update(`${fact.length}\0`).update(fact);
  }
  // Whether there was an old text at all: an empty one is not none.
  return hash.update(String(file.oldText === undefined)).digest("hex");
}
