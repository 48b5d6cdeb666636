import type { Category, Severity } from "../domain/findings.ts";

/** What Forge makes of one rule of shellcheck. Only rules of this table are reported. */
export interface ShellRule {
  readonly code: number;
  readonly name: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly confidence: number;
  readonly message: string;
  readonly why: string;
}

type Rest = Partial<Pick<ShellRule, "severity" | "category" | "confidence">>;

function rule(code: number, name: string, message: string, why: string, rest: Rest = {}): ShellRule {
  return { code, name, severity: "warning", category: "correctness", confidence: 0.8, message, why, ...rest };
}

const SURE: Rest = { severity: "error", confidence: 0.88 };

/** Left out: missing quotes where nothing shows that the value has spaces, unused variables, style, old syntax. */
const RULES: readonly ShellRule[] = [
  rule(
    1072,
    "syntax",
    "shellcheck cannot parse the script from here.",
    "Most likely the shell cannot either; nothing below was checked.",
    { confidence: 0.6 },
  ),
  rule(
    2024,
    "redirect-without-sudo",
    "sudo does not reach this redirection.",
    "The file is opened by the calling shell, without the rights: pipe into `sudo tee`.",
  ),
  rule(2045, "loop-over-ls", "A loop goes over the output of ls.", "Names with spaces fall apart: use a glob.", {
    severity: "info",
  }),
  rule(
    2050,
    "constant-condition",
    "This condition compares two constants.",
    "It always has the same result: a `$` is missing.",
  ),
  rule(
    2059,
    "format-from-variable",
    "The format of printf comes from a variable.",
    "A `%` in it is taken for a placeholder: use '%s'.",
    { severity: "info" },
  ),
  rule(
    2068,
    "arguments-unquoted",
    "The arguments are handed on without quotes.",
    'Arguments with spaces or globs fall apart: write "$@".',
    { severity: "warning", confidence: 0.85 },
  ),
  rule(2070, "unquoted-n", "`-n` gets no quotes.", "With an empty value the test is true.", SURE),
  rule(
    2071,
    "text-compared-as-number",
    "`<` and `>` compare text here.",
    "10 is less than 9 that way: use -lt and -gt.",
    SURE,
  ),
  rule(2076, "quoted-pattern", "The pattern of `=~` is quoted.", "It is then compared as plain text."),
  rule(
    2077,
    "missing-spaces",
    "Spaces are missing around the operator.",
    "The whole is one non-empty word, so the test is always true.",
    SURE,
  ),
  rule(
    2078,
    "constant-text-condition",
    "This condition is a constant text.",
    "It is always true: a `$` is missing.",
    SURE,
  ),
  rule(
    2081,
    "glob-in-test",
    "`[ … ]` does not match globs.",
    "The text is compared as it stands: use `[[ … ]]` or case.",
    SURE,
  ),
  rule(
    2088,
    "quoted-tilde",
    "A tilde in quotes is not replaced.",
    "The path begins with a folder called `~`: use $HOME.",
  ),
  rule(
    2104,
    "break-in-function",
    "`break` or `continue` stands outside a loop.",
    "In a function it ends nothing, or the loop of the caller.",
  ),
  rule(
    2105,
    "break-outside-loop",
    "`break` or `continue` stands outside a loop.",
    "The shell ignores it or stops with an error.",
  ),
  rule(
    2114,
    "system-folder-removed",
    "A folder of the system is deleted.",
    "If that is meant, `rm -r` without -f would ask.",
    { severity: "error", confidence: 0.75 },
  ),
  rule(
    2115,
    "may-remove-root",
    "With an empty variable this deletes from the root.",
    "Check it first, or expand it with `:?`, so that the script stops instead.",
    { severity: "error", confidence: 0.82 },
  ),
  rule(2123, "path-overwritten", "PATH is overwritten.", "No program is found any more: use another name."),
  rule(2124, "array-into-text", "An array is assigned to a text.", "The elements can no longer be told apart."),
  rule(2128, "array-first-only", "An array is used without an index.", "Only its first element is taken."),
  rule(
    2141,
    "backslash-in-ifs",
    "IFS holds a backslash and a letter.",
    "They are taken as they stand: write $'\\n' or $'\\t'.",
  ),
  rule(
    2142,
    "parameter-in-alias",
    "An alias has no parameters.",
    "`$1` means the parameter of the script: use a function.",
    SURE,
  ),
  rule(2144, "exists-with-glob", "`-e` is asked about a glob.", "With several matches the test fails: use a loop."),
  rule(
    2145,
    "mixed-text-and-array",
    "Text and an array are joined.",
    "The first and last element merge with the text: use `*` or a separate argument.",
    { severity: "info" },
  ),
  rule(
    2152,
    "return-above-255",
    "`return` takes numbers from 0 to 255.",
    "Larger ones are cut, and 256 becomes success.",
    SURE,
  ),
  rule(
    2157,
    "constant-emptiness",
    "This test for emptiness is about a constant.",
    "It always has the same result: a `$` is missing.",
    SURE,
  ),
  rule(
    2164,
    "cd-unchecked",
    "Nobody checks whether cd worked.",
    "If it fails, what follows works in the wrong folder: add `|| exit`.",
    { severity: "info", confidence: 0.75 },
  ),
  rule(2168, "local-outside-function", "`local` stands outside a function.", "The shell stops with an error.", SURE),
  rule(
    2170,
    "number-compared-with-text",
    "A text is compared as a number.",
    "The shell reports an error, and the test is false.",
    SURE,
  ),
  rule(2173, "untrappable", "KILL and STOP cannot be trapped.", "This never runs."),
  rule(2183, "printf-count", "printf has more placeholders than values.", "The rest stays empty."),
  rule(2193, "never-equal", "These two can never be equal.", "A part of the pattern is missing or quoted.", {
    confidence: 0.85,
  }),
  rule(2194, "constant-case", "case is asked about a constant.", "It always takes the same branch: a `$` is missing.", {
    confidence: 0.85,
  }),
  rule(
    2210,
    "redirect-to-number",
    "Output is redirected into a file named by a number.",
    "A file is made: use >&, or -gt for comparisons.",
  ),
  rule(
    2216,
    "pipe-into-nonreader",
    "Something is piped into a command that does not read it.",
    "The input is lost: xargs is missing.",
    { confidence: 0.85 },
  ),
  rule(
    2217,
    "redirect-into-nonreader",
    "A file is redirected into a command that does not read it.",
    "The input is lost.",
  ),
  rule(2221, "case-shadows", "This pattern covers a later one.", "The later branch is never reached."),
  rule(2225, "copy-without-target", "cp or mv has no target.", "It fails.", SURE),
  rule(2242, "exit-not-number", "Only numbers from 0 to 255 can be exit codes.", "The shell reports an error.", SURE),
  rule(2259, "pipe-overridden", "A redirection overrides the pipe.", "What is piped in is lost.", SURE),
  rule(2260, "output-overridden", "A redirection overrides the pipe behind it.", "The next command gets nothing."),
  rule(2261, "redirections-compete", "Two redirections compete for the same channel.", "Only the last one counts."),
  rule(
    2283,
    "spaces-around-assignment",
    "Spaces stand around this assignment.",
    "The shell runs the name as a command.",
    SURE,
  ),
];

/** Every rule of shellcheck that is reported, by number. */
export const SHELL_RULES: ReadonlyMap<number, ShellRule> = new Map(RULES.map((each) => [each.code, each]));
