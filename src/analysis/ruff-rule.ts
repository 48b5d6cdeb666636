import type { Category, Severity } from "../domain/findings.ts";
import type { RuleWords } from "./rule-words.ts";

/** What Forge makes of one rule of ruff. Only rules of our tables run. */
export interface RuffRule extends RuleWords {
  readonly code: string;
  /** A name that people can look up, after the code: `F821-undefined-name`. */
  readonly name: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly confidence: number;
  /** In our words; without it, ruff's own message stands. */
  readonly message?: string;
  readonly why: string;
  /** Ruff's replacement is what anybody would do. */
  readonly fix?: true;
  /** As `severityIn` says. */
  readonly runsText?: "always" | "from outside";
  /** Not when ruff's message says this. */
  readonly unlessSaying?: RegExp;
  /** Not when the reported lines read like this. */
  readonly unlessCode?: RegExp;
  /** Not where all that the text, or the command of the call, takes in is chosen by the program. */
  readonly unlessOwn?: "text" | "command";
  /** Not in a file in which this stands. */
  readonly unlessFile?: RegExp;
}

type Rest = Partial<Omit<RuffRule, "code" | "name" | "why" | keyof RuleWords>>;

/** `id`: the code and the name of the rule: "F821 undefined name". */
type Known = RuleWords & { readonly id: string };

/** Wrong whatever the author wanted: it raises, or never does what it says. */
export function pythonBug(rule: Known, why: string, rest: Rest = {}): RuffRule {
  return { ...split(rule), severity: "error", category: "correctness", confidence: 0.88, why, ...rest };
}

/** Most likely not what was wanted. */
export function pythonDoubt(rule: Known, why: string, rest: Rest = {}): RuffRule {
  return { ...split(rule), severity: "warning", category: "correctness", confidence: 0.75, why, ...rest };
}

/** Opens a way in, as far as the code shows. */
export function pythonWeakness(rule: Known, message: string, why: string, rest: Rest = {}): RuffRule {
  return { ...split(rule), severity: "warning", category: "security", confidence: 0.72, message, why, ...rest };
}

function split({ id, ...words }: Known): Pick<RuffRule, "code" | "name" | keyof RuleWords> {
  const [code = "", ...parts] = id.split(" ");
  return { code, name: `${code}-${parts.join("-")}`, ...words };
}
