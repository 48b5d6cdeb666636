import type { Severity } from "../../domain/findings.ts";

/** What Forge makes of one kind of message of actionlint. */
export interface WorkflowKind {
  readonly kind: string;
  /** Only messages of this form: actionlint's lists of runners, events, permissions and inputs of actions are those of its day. */
  readonly saying: RegExp;
  /** Only when the reported line reads like this. */
  readonly line?: (match: RegExpMatchArray) => RegExp;
  readonly severity: Severity;
  readonly confidence: number;
  /** In our words, with what the pattern took out of the message. */
  readonly message: (match: RegExpMatchArray) => string;
  readonly why: string;
}

const REFUSED = "GitHub refuses the whole workflow file, so none of its jobs runs.";

/** Contexts that exist and that actionlint does not know yet. */
const KNOWN_CONTEXTS = "vars|inputs|jobs|env|github|job|matrix|needs|runner|secrets|steps|strategy";

/** Keys that GitHub added after actionlint's list. */
const NEWER_KEYS = "snapshot|queue|deployment|case|background|wait|wait-all|cancel|parallel";

export const ACTIONLINT_KINDS: readonly WorkflowKind[] = [
  {
    kind: "syntax-check",
    saying: /^"([\w-]+)" section is missing in (\w+)/,
    severity: "error",
    confidence: 0.85,
    message: ([, section, where]) => `\`${section}\` is missing in this ${where}.`,
    why: REFUSED,
  },
  {
    kind: "syntax-check",
    saying: new RegExp(`^unexpected key "(?!(?:${NEWER_KEYS})")([^"]{1,80})" for "?([\\w-]+)"? section`),
    severity: "warning",
    confidence: 0.75,
    message: ([, key, section]) => `\`${section}\` has no key \`${key}\`.`,
    why: `${REFUSED} A misspelt key looks like this too.`,
  },
  {
    kind: "syntax-check",
    saying: /^key "([^"]{1,80})" is duplicated/,
    severity: "error",
    confidence: 0.9,
    message: ([, key]) => `The key \`${key}\` stands here twice.`,
    why: REFUSED,
  },
  {
    kind: "job-needs",
    saying: /^job "([^"]{1,80})" needs job "([^"]{1,80})" which does not exist/,
    severity: "error",
    confidence: 0.92,
    message: ([, job, needed]) => `The job \`${job}\` needs the job \`${needed}\`, which does not exist.`,
    why: REFUSED,
  },
  {
    kind: "job-needs",
    saying: /cyclic dependencies/,
    severity: "error",
    confidence: 0.92,
    message: () => "Jobs wait for each other in a circle.",
    why: REFUSED,
  },
  {
    kind: "id",
    saying: /^(?:step|job) ID "([^"]{1,80})" (?:duplicates|must not)/i,
    severity: "error",
    confidence: 0.88,
    message: ([, id]) => `The id \`${id}\` is used twice.`,
    why: REFUSED,
  },
  {
    kind: "expression",
    saying: new RegExp(`^undefined variable "(?!(?:${KNOWN_CONTEXTS})")([^"]{1,80})"`),
    severity: "error",
    confidence: 0.88,
    message: ([, name]) => `There is nothing called \`${name}\` in expressions.`,
    why: `${REFUSED} Text in an expression needs single quotes.`,
  },
  {
    kind: "expression",
    saying: /^undefined function "(?!case")([^"]{1,80})"/,
    severity: "error",
    confidence: 0.8,
    message: ([, name]) => `There is no function \`${name}\` in expressions.`,
    why: REFUSED,
  },
  {
    kind: "expression",
    saying: /^(?:got unexpected|unexpected (?:token|end|EOF)|parser did not reach|unterminated)/,
    severity: "error",
    confidence: 0.88,
    message: () => "This expression cannot be parsed.",
    why: REFUSED,
  },
  {
    kind: "glob",
    saying: /./,
    severity: "warning",
    confidence: 0.8,
    message: () => "This filter pattern is not valid.",
    why: "GitHub refuses the file, or the pattern never matches.",
  },
  {
    kind: "env-var",
    saying: /^environment variable name "([^"]{1,80})"/,
    severity: "warning",
    confidence: 0.8,
    message: ([, name]) => `\`${name}\` cannot be the name of an environment variable.`,
    why: "Programs cannot read it.",
  },
  {
    kind: "expression",
    saying: /^property "([\w-]{1,80})" is not defined in object type/,
    // Of other objects actionlint does not know all properties.
    line: ([, name]) => new RegExp(`\\b(?:steps|needs)\\.${name}\\b`),
    severity: "warning",
    confidence: 0.8,
    message: ([, name]) => `No earlier step and no needed job is called \`${name}\`.`,
    why: "The expression is empty text, without an error.",
  },
  {
    kind: "syntax-check",
    saying: /^this step is for running (?:action|shell)/,
    severity: "error",
    confidence: 0.85,
    message: () => "This step both runs a script and uses an action.",
    why: REFUSED,
  },
  {
    kind: "deprecated-commands",
    saying: /^workflow command "([\w-]{1,40})" was deprecated/,
    severity: "warning",
    confidence: 0.8,
    message: ([, command]) => `The workflow command \`${command}\` was withdrawn.`,
    why: "GitHub ignores it or fails the step: write to the files named by GITHUB_OUTPUT, GITHUB_ENV or GITHUB_PATH.",
  },
];
