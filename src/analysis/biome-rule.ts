import type { Category, Severity } from "../domain/findings.ts";
import type { NamedRule, RuleWords } from "./rule-words.ts";

/** What Forge makes of one rule of Biome's linter. Only rules of this table run. */
export interface BiomeRule extends RuleWords {
  /** `<group>/<rule>` as Biome names it. */
  readonly name: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly confidence: number;
  /** The fact, and why it matters, in our words; `{}` stands for the name at the place. */
  readonly message: string;
  readonly why: string;
  /** Biome's replacement is what anybody would do, so it is offered as a suggestion. */
  readonly fix?: true;
  /** Only where the code before the place, on its line, ends like this: the one use of the rule that is a mistake. */
  readonly after?: RegExp;
  /** Only when Biome's own message says this: some rules report a mistake and a matter of taste under one name. */
  readonly saying?: RegExp;
  /** Only in files with JSX: elsewhere the names that it goes by mean other things. */
  readonly jsx?: true;
  /** Not where the code around it shows that it is meant, or harmless. */
  readonly unless?: (place: ReportedPlace) => boolean;
  /** A way to write that projects choose: a remark there. */
  readonly habit?: (place: ReportedPlace) => boolean;
  /** It stands where it ends: what changes above, in the same statement, does not make it new. */
  readonly atEnd?: true;
  /** About tests, or as wrong in them as elsewhere. */
  readonly inTests?: true;
  /** As `severityIn` says. */
  readonly runsText?: "always" | "from outside";
}

/** A piece of a file that a rule reports. */
export interface ReportedPlace {
  readonly code: string;
  /** On its first line, 500 characters at most. */
  readonly before: string;
  /** On this line and those above it, 500 characters at most. */
  readonly above: string;
  /** To the end of the file. */
  readonly rest: string;
  readonly declared: () => Declared;
  /** A compiler of types reads the file. */
  readonly typed: boolean;
}

/** What a file declares. */
export interface Declared {
  /** Whether the word stands in it at all. */
  readonly byVar: boolean;
  /** By `let`, `const`, `class` or `enum`. */
  readonly names: ReadonlySet<string>;
}

type Rest = Pick<BiomeRule, "fix" | "after" | "saying" | "jsx" | "unless" | "habit" | "atEnd" | "inTests" | "runsText">;

/** Wrong whatever the author wanted: it throws, or never does what it says. */
export function bug(rule: NamedRule, message: string, why: string, rest: Rest = {}, confidence = 0.93): BiomeRule {
  return { ...rule, severity: "error", category: "correctness", confidence, message, why, ...rest };
}

/** Most likely not what was wanted; a person has to judge. */
export function doubt(rule: NamedRule, message: string, why: string, confidence = 0.75, rest: Rest = {}): BiomeRule {
  return { ...rule, severity: "warning", category: "correctness", confidence, message, why, ...rest };
}
