import { createRequire } from "node:module";
import { Linter } from "eslint/universal";
import type { EslintRule } from "../../eslint-rule.ts";
import { findLineStarts } from "../../source-file.ts";
import { type ChildFile, type RuleHit, type RulesResult, UNPARSED } from "../protocol.ts";
import { readings } from "../readings.ts";
import { ALL_RULES } from "./choose-rules.ts";
import { type Parsed, parseScript } from "./parse-script.ts";
import { loadSonarRule } from "./sonar-rule.ts";

const require = createRequire(import.meta.url);

/** A file that breaks more rules than this is made to do so. */
const MOST_DROPPED = 5;

/** Names that timers are known by to the rules; ESLint knows none by itself. */
const GLOBALS = Object.fromEntries(
  ["window", "global", "globalThis", "self", "setTimeout", "setInterval", "document", "process", "require"].map(
    (name) => [name, "readonly"],
  ),
);

/**
 * A reader of files, on text alone: no file, configuration or comment of the repository is obeyed.
 * @param rules at least those that fit one of the files; no other is loaded
 * @returns finds what the rules that fit a file say of it
 */
export function findRuleHits(
  rules: readonly EslintRule[],
): (file: ChildFile, fitting: readonly EslintRule[]) => RulesResult {
  const plugins = loadPlugins(rules);
  const linter = new Linter({ configType: "flat" });
  return (file, fitting) => {
    if (fitting.length === 0) return { hits: [], dropped: [] };
    const parsed = parse(file);
    if (parsed === undefined) return { unread: UNPARSED };
    const dropped: string[] = [];
    for (;;) {
      const config = {
        languageOptions: {
          parser: { parseForESLint: () => parsed },
          ecmaVersion: "latest" as const,
          sourceType: parsed.ast.sourceType === "module" ? ("module" as const) : ("commonjs" as const),
          globals: GLOBALS,
        },
        linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" as const },
        plugins,
        rules: Object.fromEntries(
          fitting
            .filter(({ name }) => !dropped.includes(name))
            .map(({ name, options = [] }) => [name, ["error", ...options]]),
        ),
      };
      try {
        const messages = linter.verify(file.text, [config as unknown as Linter.Config], {
          filename: "file.js",
          allowInlineConfig: false,
        });
        return { hits: messages.flatMap((message) => toHit(message, file.text)), dropped };
      } catch (thrown) {
        const { ruleId } = thrown as { ruleId?: string };
        if (ruleId === undefined || dropped.length === MOST_DROPPED) return { unread: "the linter broke down on it" };
        dropped.push(ruleId);
      }
    }
  };
}

/** One reading that parses is enough; a file without any is named by the syntax analyser. */
function parse({ text, dialect = "js" }: ChildFile): Parsed | undefined {
  const lineStarts = findLineStarts(text);
  for (const options of readings(dialect)) {
    const parsed = parseScript(text, lineStarts, options);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

function loadPlugins(rules: readonly EslintRule[]): Record<string, { rules: Record<string, unknown> }> {
  const sonarjs = rules.flatMap(({ name, sonarKey }) =>
    sonarKey === undefined ? [] : [[name.slice("sonarjs/".length), loadSonarRule(sonarKey)] as const],
  );
  return {
    sonarjs: { rules: Object.fromEntries(sonarjs) },
    "no-unsanitized": require("eslint-plugin-no-unsanitized"),
  };
}

function toHit(message: Linter.LintMessage, text: string): RuleHit[] {
  const rule = ALL_RULES.get(message.ruleId ?? "");
  if (rule === undefined || rule.unlessSaying?.test(message.message)) return [];
  const { line, column, endLine = line, endColumn = column + 1 } = message;
  if (rule.code !== undefined) {
    const lines = text.split("\n").slice(line - 1, endLine);
    if (!rule.code.test(lines.join("\n").slice(column - 1))) return [];
  }
  return [{ rule: rule.name, line, column, endLine, endColumn }];
}
