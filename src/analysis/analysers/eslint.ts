import { createRequire } from "node:module";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import { type RuleHit, type RulesResult, UNPARSED } from "../child/protocol.ts";
import { eachInTurn } from "../each-in-turn.ts";
import type { EslintRule } from "../eslint-rule.ts";
import { ESLINT_RULES } from "../eslint-rules.ts";
import { ESLINT_SECURITY_RULES } from "../eslint-security-rules.ts";
import { SCRIPTS } from "../languages.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { severityIn } from "../severity-in.ts";
import type { SourceFile } from "../source-file.ts";

const require = createRequire(import.meta.url);
const { version } = require("eslint/package.json") as { version: string };

const LINTED = new Set<string>(SCRIPTS);

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
        const unparsed = result.unread === UNPARSED;
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

/** Text of the files that are claimed at once: enough for a process of its own, few enough to be shared fairly. */
const SHARE_CHARACTERS = 4 * 1024 * 1024;

/**
 * What came of each file, for as long as somebody holds the file. Two analysers ask for the same files: what one of them has begun the
 * other does not do again, so that both work at the same time on different files.
 */
const begun = new WeakMap<SourceFile, Promise<RulesResult | undefined>>();

/** Reads files with the rules of both of ESLint's tables, each file once. @returns the results in the order of the files */
export async function lintOnce(
  files: readonly SourceFile[],
  context: AnalyserContext,
): Promise<readonly RulesResult[]> {
  for (let share = takeShare(files); share.length > 0; share = takeShare(files)) {
    const run = lint(share, context);
    for (const [index, file] of share.entries()) {
      const own = run.then((results) => results[index]);
      // A caller that waits for it learns of the failure; there may be none.
      own.catch(() => undefined);
      begun.set(file, own);
    }
    await run;
  }
  const results = await Promise.all(files.map((file) => begun.get(file)));
  return results.map((result) => result ?? { unread: "it was not read" });
}

function takeShare(files: readonly SourceFile[]): SourceFile[] {
  const open = files.filter((file) => !begun.has(file));
  let size = 0;
  const end = open.findIndex(({ text }, index) => {
    size += text.length;
    return index > 0 && size > SHARE_CHARACTERS;
  });
  return end === -1 ? open : open.slice(0, end);
}

async function lint(files: readonly SourceFile[], context: AnalyserContext): Promise<RulesResult[]> {
  const { results, unread } = await runInChild<RulesResult>(
    "eslint",
    await eachInTurn(files, (file, id) => ({ id, text: prepare(file), dialect: file.language?.dialect ?? "js" })),
    context,
  );
  const reasons = new Map(unread.map(({ id, reason }) => [id, reason]));
  return files.map((_, id) => results.get(id) ?? { unread: reasons.get(id) ?? "the linter broke down on it" });
}

/** Equally long, and with the same lines for ESLint as for git, which knows no line separators but the line feed. */
function prepare({ text }: SourceFile): string {
  return text.replace(/\r(?!\n)|[\u2028\u2029]/g, " ");
}
