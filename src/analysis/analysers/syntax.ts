import { createRequire } from "node:module";
import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserResult } from "../analyser.ts";
import type { SyntaxFault, SyntaxResult } from "../child/protocol.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { nearestAddedLine, placeOf, type SourceFile } from "../source-file.ts";

const require = createRequire(import.meta.url);
const { version } = require("oxc-parser/package.json") as { version: string };

/** Biome, ruff and shellcheck parse these themselves. */
const READ_ELSEWHERE = new Set(["css", "py", "sh"]);

/** Files that no longer parse: the first place of each. A file that did not parse before the change either is left alone. */
export const syntax: Analyser = {
  name: "syntax",
  version,
  layer: "static",
  readsFilesAlone: true,
  appliesTo: ({ language }) => language?.dialect !== undefined && !READ_ELSEWHERE.has(language.dialect),
  analyse: analyseSyntax,
};

async function analyseSyntax(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const { results, unread } = await runInChild<SyntaxResult>(
    "syntax",
    files.map(({ text, oldText, language }, id) => ({
      id,
      text,
      ...defined({ oldText, dialect: language?.dialect }),
    })),
    context,
  );
  const observations: Observation[] = [];
  const problems = unread.map(({ id, reason }) => ({
    file: files[id]?.path ?? "",
    reason: `not parsed: ${reason}`,
    gap: true,
  }));
  for (const [id, result] of results) {
    const file = files[id];
    if (file === undefined || result === null) continue;
    if ("unread" in result) problems.push({ file: file.path, reason: `not parsed: ${result.unread}`, gap: false });
    else if (result.fresh) observations.push(...observe(file, result));
  }
  return { observations, filesRead: files.length - problems.length, problems };
}

function observe(file: SourceFile, fault: SyntaxFault): Observation[] {
  const place = placeOf(file.lineStarts, fault.offset);
  const line = nearestAddedLine(file, place.line);
  if (line === undefined) return [];
  const language = file.language?.name ?? "source";
  return [
    {
      source: "static",
      rule: `syntax/${fault.kind.replaceAll("_", "-")}`,
      severity: fault.kind === "comment_in_json" && !isStrictJson(file.path) ? "warning" : "error",
      category: "correctness",
      file: file.path,
      line,
      ...(line === place.line ? { column: place.column } : {}),
      endLine: line,
      message: `${says(fault, language)}${line === place.line ? "" : ` (the parser stops at line ${place.line})`}.`,
      why: `Whatever compiles, imports or reads this ${language} file fails, and nothing below this place was checked.`,
      confidence: fault.kind === "comment_in_json" && !isStrictJson(file.path) ? 0.5 : 0.97,
    },
  ];
}

function says(fault: SyntaxFault, language: string): string {
  switch (fault.kind) {
    case "conflict_marker":
      return "A merge conflict marker was left in the file";
    case "tab_indent":
      return "A tab indents this line, which YAML does not allow";
    case "duplicate_key":
      return "This key stands twice in the same mapping";
    case "comment_in_json":
      return "A comment or a trailing comma stands here, which JSON does not allow";
    case "syntax":
      return `The file is no longer valid ${language}: it cannot be parsed from here`;
    default:
      return fault.kind satisfies never;
  }
}

/** Read by `JSON.parse` and nothing more lenient. */
function isStrictJson(path: string): boolean {
  return /(?:^|\/)(?:package|composer|manifest)\.json$|\.webmanifest$/.test(path);
}
