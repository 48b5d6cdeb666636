import { createRequire } from "node:module";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import type { RuleHit } from "../child/protocol.ts";
import { eachInTurn } from "../each-in-turn.ts";
import type { EslintRule } from "../eslint-rule.ts";
import { ESLINT_RULES } from "../eslint-rules.ts";
import { ESLINT_SECURITY_RULES } from "../eslint-security-rules.ts";
import { lintOnce } from "../lint-once.ts";
import { severityIn } from "../severity-in.ts";
import type { SourceFile } from "../source-file.ts";

const require = createRequire(import.meta.url);
const { version } = require("eslint/package.json") as { version: string };

const LINTED = new Set(["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"]);

/** Bugs that ESLint's and sonarjs' rules see and Biome does not. */
export const eslint: Analyser = createEslint("eslint", "static", ESLINT_RULES);

/** Insecure patterns in JavaScript and TypeScript, by ESLint, no-unsanitized and sonarjs. */
export const eslintSecurity: Analyser = createEslint("eslint-security", "security", ESLINT_SECURITY_RULES);

function createEslint(
  name: "eslint" | "eslint-security",
  layer: Analyser["layer"],
  rules: ReadonlyMap<string, EslintRule>,
): Analyser {
  return {
    name,
    version,
    layer,
    readsFilesAlone: true,
    appliesTo: ({ look, language }) =>
      look === "all" && language?.dialect !== undefined && LINTED.has(language.dialect),
    analyse: (files, context) => lint(files, context),
  };

  async function lint(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
    const problems: AnalyserProblem[] = [];
    let left = 0;
    const results = await lintOnce(files, context);
    const observations = await eachInTurn(files, (file, index) => {
      const result = results[index];
      if (result === undefined) return [];
      if ("unread" in result) {
        // A file that does not parse is named by the syntax analyser, which knows whether the change brought that.
        const unparsed = result.unread === "it does not parse";
        problems.push({ file: file.path, reason: `not linted: ${result.unread}`, gap: !unparsed });
        left += 1;
        return [];
      }
      for (const rule of result.dropped.filter((dropped) => rules.has(dropped))) {
        problems.push({ file: file.path, reason: `not checked for ${rule}: the rule broke down on it`, gap: true });
      }
      return result.hits.flatMap((hit) => observe(file, hit));
    });
    return { observations: observations.flat(), filesRead: files.length - left, problems };
  }

  function observe(file: SourceFile, hit: RuleHit): Observation[] {
    const rule = rules.get(hit.rule);
    if (rule === undefined) return [];
    const { line, column, endLine, endColumn } = hit;
    return [
      {
        source: layer,
        rule: `${name}/${rule.name}`,
        severity: severityIn(file, rule, { line, column }),
        category: rule.category,
        file: file.path,
        line,
        column,
        endLine,
        endColumn,
        message: rule.message,
        why: rule.why,
        confidence: rule.confidence,
      },
    ];
  }
}
