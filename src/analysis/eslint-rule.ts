import type { Category, Severity } from "../domain/findings.ts";
import type { NamedRule, RuleWords } from "./rule-words.ts";

/** What Forge makes of one rule of ESLint or of a plugin. Only rules of our tables run. */
export interface EslintRule extends RuleWords {
  /** As people know it: `no-new-func`, `no-unsanitized/property`, `sonarjs/os-command`. */
  readonly name: string;
  /** The folder of the rule in eslint-plugin-sonarjs: its plugin as a whole loads far more than these rules need. */
  readonly sonarKey?: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly confidence: number;
  /** What is so, and why it matters, in our words. */
  readonly message: string;
  readonly why: string;
  readonly options?: readonly unknown[];
  /** Only where the reported code reads like this: the rule also reports what is a matter of taste. */
  readonly code?: RegExp;
  /** About tests, or as wrong in them as elsewhere. */
  readonly inTests?: true;
  /** As `severityIn` says. */
  readonly runsText?: "always" | "from outside";
  /** Not when the rule's own message says this. */
  readonly unlessSaying?: RegExp;
}

type Rest = Pick<EslintRule, "sonarKey" | "options" | "code" | "unlessSaying" | "severity" | "inTests" | "runsText"> & {
  confidence?: number;
};

/** Wrong whatever the author wanted. */
export function fault(rule: NamedRule, message: string, why: string, rest: Partial<Rest> = {}): EslintRule {
  return { ...rule, severity: "error", category: "correctness", confidence: 0.88, message, why, ...rest };
}

/** Most likely not what was wanted; a person has to judge. */
export function question(rule: NamedRule, message: string, why: string, rest: Partial<Rest> = {}): EslintRule {
  return { ...rule, severity: "warning", category: "correctness", confidence: 0.75, message, why, ...rest };
}

/** Opens a way in, as far as the code shows. */
export function weakness(rule: NamedRule, message: string, why: string, rest: Partial<Rest> = {}): EslintRule {
  return { ...rule, severity: "warning", category: "security", confidence: 0.75, message, why, ...rest };
}
