/** What every rule says of itself, whatever code it is found in. */
export interface RuleWords {
  /** The name by which the field knows the problem: "Path traversal". Users search for it. */
  readonly title: string;
  /** Number in the Common Weakness Enumeration, where it has one that fits. */
  readonly cwe?: number;
  /** The smallest change that fixes it, in a sentence. */
  readonly remedy: string;
}

/** The words of a rule with its name, as the tables of linters write them. */
export interface NamedRule extends RuleWords {
  readonly name: string;
}
