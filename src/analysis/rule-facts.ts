import type { Finding, Observation } from "../domain/findings.ts";
import { BIOME_RULES } from "./biome-rules.ts";
import { ESLINT_RULES } from "./eslint-rules.ts";
import { ESLINT_SECURITY_RULES } from "./eslint-security-rules.ts";
import { DEFINITION_RULES } from "./patterns/definitions/rules.ts";
import { PYTHON_RULES } from "./patterns/python/rules.ts";
import { RULES } from "./patterns/rules/all-rules.ts";
import { RUFF_RULES } from "./ruff-rules.ts";
import { RUFF_SECURITY_RULES } from "./ruff-security-rules.ts";
import { OWN_RULES } from "./rule-titles.ts";
import type { RuleWords } from "./rule-words.ts";
import { SECRET_KINDS, SECRET_REMEDY } from "./secrets/describe-secret.ts";
import { SHELL_RULES } from "./shellcheck-rules.ts";

/** A rule as users look it up. */
export interface RuleFacts extends RuleWords {
  /** A public page about the rule, or about its weakness. */
  readonly url?: string;
  /** The section about it in Forge's own documentation: "docs/patterns.md#programshell". */
  readonly docs?: string;
}

/** Facts of the rule of a finding; undefined for a rule of a foreign tool, of which only its report says anything. */
export function ruleFacts(rule: string): RuleFacts | undefined {
  return FACTS.get(rule) ?? typeError(rule);
}

/** "Path traversal": the name of the problem, else that of the rule in words; undefined for an unknown rule that is a number. */
export function titleOf(rule: string): string | undefined {
  const known = ruleFacts(rule)?.title;
  if (known !== undefined) return known;
  const words = lastPart(rule)
    .replace(/^[A-Za-z]{1,6}\d+\b[-_:]?/, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replace(/[-_/\s]+/g, " ")
    .toLowerCase()
    .trim()
    .replace(/^no /, "");
  return words === "" ? undefined : words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** "Path traversal (CWE-22)"; what the finding says where its rule has no name. Plain text on one line. */
export function headline({ rule, message }: Pick<Observation, "rule" | "message">): string {
  const title = titleOf(rule) ?? (message.split("\n")[0] ?? "").replace(/\.$/, "");
  const cwe = ruleFacts(rule)?.cwe;
  return cwe === undefined ? title : `${title} (CWE-${cwe})`;
}

/** The last part of a rule's name: "noSelfCompare" of `biome/suspicious/noSelfCompare`. */
export function lastPart(rule: string): string {
  return rule.split("/").findLast((part) => part !== "") ?? rule;
}

/** The project's own type check reports rules by number. */
function typeError(rule: string): RuleFacts | undefined {
  const [, code] = /^typecheck\/(TS\d{1,6})$/.exec(rule) ?? [];
  return code === undefined ? undefined : { title: `Type error ${code}`, remedy: "Correct the types." };
}

/** How to fix a finding, in a sentence: its own, or that of its rule. A model says it in its own words. */
export function remedyOf({ rule, remedy }: Pick<Finding, "rule" | "remedy">): string | undefined {
  return remedy ?? (rule.startsWith("ai/") ? undefined : ruleFacts(rule)?.remedy);
}

/** Every rule of Forge, by the name that findings carry. */
export const FACTS: ReadonlyMap<string, RuleFacts> = new Map([
  ...patternFacts(),
  ...[...BIOME_RULES.values()].map((rule) => known(`biome/${rule.name}`, rule, biomePage(rule.name))),
  ...[...ESLINT_RULES.values()].map((rule) => known(`eslint/${rule.name}`, rule, eslintPage(rule))),
  ...[...ESLINT_SECURITY_RULES.values()].map((rule) => known(`eslint-security/${rule.name}`, rule, eslintPage(rule))),
  ...[...RUFF_RULES.values()].map((rule) => known(`ruff/${rule.name}`, rule, ruffPage(rule.code))),
  ...[...RUFF_SECURITY_RULES.values()].map((rule) => known(`ruff-security/${rule.name}`, rule, ruffPage(rule.code))),
  ...[...SHELL_RULES.values()].map((rule) =>
    known(`shellcheck/SC${rule.code}-${rule.name}`, rule, `https://www.shellcheck.net/wiki/SC${rule.code}`),
  ),
  ...[...SECRET_KINDS.values()].map(({ rule, what }) =>
    known(`secrets/${rule}`, {
      title: `Secret in the code: ${what.replace(/^(?:an?|the) /, "")}`,
      cwe: 798,
      remedy: SECRET_REMEDY,
    }),
  ),
  ...Object.entries(OWN_RULES).map(([rule, words]) => known(rule, words)),
]);

function known(
  rule: string,
  { title, cwe, remedy }: RuleWords,
  page?: string,
  docs?: string,
): readonly [string, RuleFacts] {
  const url = page ?? (cwe === undefined ? undefined : `https://cwe.mitre.org/data/definitions/${cwe}.html`);
  return [
    rule,
    {
      ...{ title, remedy },
      ...(cwe === undefined ? {} : { cwe }),
      ...(url === undefined ? {} : { url }),
      ...(docs === undefined ? {} : { docs }),
    },
  ];
}

/** Rows that share an id share their title; the first one speaks for the rule. */
function patternFacts(): (readonly [string, RuleFacts])[] {
  const rows = [RULES, PYTHON_RULES, DEFINITION_RULES].flatMap(({ sinks, settings }) => [...sinks, ...settings]);
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, [first]]) =>
    first === undefined
      ? []
      : [
          known(
            `patterns/${id}`,
            { ...first, remedy: first.words.mend },
            undefined,
            `docs/patterns.md#${anchorOf(id)}`,
          ),
        ],
  );
}

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, "")
    .replaceAll(" ", "-");
}

function biomePage(name: string): string {
  const rule = name.slice(name.indexOf("/") + 1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `https://biomejs.dev/linter/rules/${rule}/`;
}

function eslintPage({ name, sonarKey }: { readonly name: string; readonly sonarKey?: string }): string | undefined {
  if (sonarKey !== undefined) return `https://sonarsource.github.io/rspec/#/rspec/${sonarKey}/javascript`;
  if (name.startsWith("no-unsanitized/"))
    return `https://github.com/mozilla/eslint-plugin-no-unsanitized/blob/master/docs/rules/${name.slice(name.indexOf("/") + 1)}.md`;
  return `https://eslint.org/docs/latest/rules/${name}`;
}

/** Ruff forwards a code to the page of its rule. */
function ruffPage(code: string): string {
  return `https://docs.astral.sh/ruff/rules/${code}/`;
}
