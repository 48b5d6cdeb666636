import { createRequire } from "node:module";
import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import { type PythonHit, type PythonResult, UNPARSED } from "../child/protocol.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { proposeFix } from "../propose-fix.ts";
import { runInChild } from "../reader/run-in-child.ts";
import type { RuffRule } from "../ruff-rule.ts";
import { RUFF_RULES } from "../ruff-rules.ts";
import { RUFF_SECURITY_RULES } from "../ruff-security-rules.ts";
import { severityIn } from "../severity-in.ts";
import { nearestAddedLine, type SourceFile } from "../source-file.ts";
import { blankHashSuppressions } from "../suppressions.ts";

const require = createRequire(import.meta.url);
const { version } = require("@astral-sh/ruff-wasm-nodejs/package.json") as { version: string };

/** Bugs in Python, and Python that no longer parses. */
export const ruff: Analyser = createRuff("ruff", "static", RUFF_RULES);

/** Insecure patterns in Python. */
export const ruffSecurity: Analyser = createRuff("ruff-security", "security", RUFF_SECURITY_RULES);

function createRuff(
  name: "ruff" | "ruff-security",
  layer: Analyser["layer"],
  rules: ReadonlyMap<string, RuffRule>,
): Analyser {
  return {
    name,
    version,
    layer,
    readsFilesAlone: true,
    appliesTo: ({ look, language }) => look === "all" && language?.dialect === "py",
    analyse: (files, context) => check(files, context),
  };

  async function check(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
    const { results, unread } = await runInChild<PythonResult>(
      name,
      await eachInTurn(files, ({ text, addedLines, oldText }, id) => ({
        id,
        text: blankHashSuppressions(text, addedLines),
        ...defined({ oldText }),
        dialect: "py" as const,
      })),
      context,
    );
    const problems: AnalyserProblem[] = unread.map(({ id, reason }) => ({
      file: files[id]?.path ?? "",
      reason: `not linted: ${reason}`,
      gap: true,
    }));
    const observations = await eachInTurn(files, (file, id) => {
      const result = results.get(id);
      if (result === undefined) return [];
      if ("hits" in result) return result.hits.flatMap((hit) => observe(file, hit));
      problems.push({ file: file.path, reason: `not linted: ${UNPARSED}`, gap: false });
      return layer === "static" && result.broken.fresh ? observeBroken(file, result.broken) : [];
    });
    return { observations: observations.flat(), filesRead: files.length - problems.length, problems };
  }

  function observe(file: SourceFile, hit: PythonHit): Observation[] {
    const rule = rules.get(hit.code);
    // A package may list its submodules there.
    if (rule === undefined || (rule.code === "F822" && file.path.endsWith("__init__.py"))) return [];
    const fix = hit.edit && proposeFix(file, hit.edit);
    return [
      {
        source: layer,
        rule: `${name}/${rule.name}`,
        severity: layer === "security" ? severityIn(file, rule, hit) : rule.severity,
        category: rule.category,
        file: file.path,
        line: hit.line,
        column: hit.column,
        endLine: hit.endLine,
        endColumn: hit.endColumn,
        message: rule.message ?? `${hit.message.replace(/\.$/, "")}.`,
        why: rule.why,
        confidence: rule.confidence,
        ...defined({ fix }),
      },
    ];
  }
}

/** With placeholders, in its path or its text, it becomes Python when it is filled in. */
function isTemplate({ path, text }: SourceFile): boolean {
  return path.includes("{{") || /\{%|\{\{/.test(text);
}

function observeBroken(file: SourceFile, place: { readonly line: number; readonly column: number }): Observation[] {
  const line = nearestAddedLine(file, place.line);
  if (line === undefined || isTemplate(file)) return [];
  const where = line === place.line ? "" : ` (the parser stops at line ${place.line})`;
  return [
    {
      source: "static",
      rule: "ruff/syntax",
      severity: "error",
      category: "correctness",
      file: file.path,
      line,
      ...(line === place.line ? { column: place.column } : {}),
      endLine: line,
      message: `The file is no longer valid Python: it cannot be parsed from here${where}.`,
      why: "Whatever imports or runs this file fails, and nothing in it was checked.",
      confidence: 0.95,
    },
  ];
}
