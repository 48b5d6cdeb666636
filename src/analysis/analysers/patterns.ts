import type { Observation } from "../../domain/findings.ts";
import { firstWithin } from "../../domain/hunks.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import type { PatternsResult } from "../child/find-insecure-code.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { describeHit } from "../patterns/describe-hit.ts";
import type { PatternHit } from "../patterns/find-patterns.ts";
import { proposeFix } from "../propose-fix.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { severityIn } from "../severity-in.ts";
import { placeOf, type SourceFile } from "../source-file.ts";

const READ = new Set(["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "py"]);

/** Foreign input that gets where it does harm, and settings that are insecure, by the tables in `patterns/rules/`. */
export const patterns: Analyser = {
  name: "patterns",
  version: "1",
  layer: "security",
  readsFilesAlone: true,
  appliesTo: ({ look, language }) => look === "all" && language?.dialect !== undefined && READ.has(language.dialect),
  analyse: findPatterns,
};

async function findPatterns(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const asked = await eachInTurn(files, ({ text, language }, id) => ({ id, text, dialect: language?.dialect ?? "js" }));
  const { results, unread } = await runInChild<PatternsResult>("patterns", asked, context);
  const problems: AnalyserProblem[] = unread.map(({ id, reason }) => ({
    file: files[id]?.path ?? "",
    reason: `not searched for insecure code: ${reason}`,
    gap: true,
  }));
  const observations = await eachInTurn(files, (file, id) => {
    const result = results.get(id);
    if (result === undefined) return [];
    if ("unread" in result) {
      // A file that does not parse is named by the syntax analyser, which knows whether the change brought that.
      const gap = result.unread !== "it does not parse";
      const reason = gap ? `not searched for insecure code: ${result.unread}` : `not linted: ${result.unread}`;
      problems.push({ file: file.path, reason, gap });
      return [];
    }
    if (result.cut) {
      const reason = "not searched for insecure code to the end: its values are too much to follow";
      problems.push({ file: file.path, reason, gap: true });
    }
    const added = [...file.addedLines];
    return result.hits.map((hit) => observe(file, hit, added));
  });
  return { observations: observations.flat(), filesRead: files.length - problems.length, problems };
}

function observe(file: SourceFile, hit: PatternHit, added: readonly number[]): Observation {
  const start = placeOf(file.lineStarts, hit.from);
  const end = placeOf(file.lineStarts, hit.to);
  const way = hit.way.map(({ offset, text }) => ({ line: placeOf(file.lineStarts, offset).line, text }));
  // The change opens the way to a place that it leaves alone: said where it does.
  const opens =
    firstWithin(added, start.line, end.line) === undefined && way.find(({ line }) => file.addedLines.has(line));
  const place = opens
    ? { line: opens.line, endLine: opens.line }
    : { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
  const { fix, confidence } = hit;
  const edit = fix && {
    start: placeOf(file.lineStarts, fix.from),
    end: placeOf(file.lineStarts, fix.to),
    text: fix.text,
  };
  const proposed = edit && proposeFix(file, edit);
  return {
    source: "security",
    rule: `patterns/${hit.rule}`,
    severity: severityIn(file, { severity: hit.severity, confidence }, start),
    category: "security",
    file: file.path,
    ...place,
    ...describeHit(hit, way),
    confidence,
    ...(proposed ? { fix: proposed } : {}),
  };
}
