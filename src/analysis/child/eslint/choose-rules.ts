import type { EslintRule } from "../../eslint-rule.ts";
import { ESLINT_HINTS, ESLINT_RULES } from "../../eslint-rules.ts";
import { ESLINT_SECURITY_RULES } from "../../eslint-security-rules.ts";

/** Those of both layers, by name: reading a file takes as long as most rules together. */
export const ALL_RULES: ReadonlyMap<string, EslintRule> = new Map([...ESLINT_RULES, ...ESLINT_SECURITY_RULES]);

/** Those that could say something about the text. */
export function rulesFor(text: string): readonly EslintRule[] {
  return [...ALL_RULES.values()].filter(({ name }) => ESLINT_HINTS[name]?.test(text) ?? true);
}
