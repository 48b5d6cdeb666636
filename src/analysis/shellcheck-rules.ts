import type { Category, Severity } from "../domain/findings.ts";
import type { NamedRule } from "./rule-words.ts";

/** What Forge makes of one rule of shellcheck. Only rules of this table are reported. */
export interface ShellRule extends NamedRule {
  readonly code: number;
  readonly severity: Severity;
  readonly category: Category;
  readonly confidence: number;
  readonly message: string;
  readonly why: string;
}

type Rest = Partial<Pick<ShellRule, "severity" | "category" | "confidence">>;

function rule(code: number, known: NamedRule, message: string, why: string, rest: Rest = {}): ShellRule {
  return { code, ...known, severity: "warning", category: "correctness", confidence: 0.8, message, why, ...rest };
}

const SURE: Rest = { severity: "error", confidence: 0.88 };

/** Left out: missing quotes where nothing shows that the value has spaces, unused variables, style, old syntax. */
const RULES: readonly ShellRule[] = [
  rule(
    1072,
    { name: "syntax", title: "Shell syntax error", remedy: "Correct the syntax." },
    "shellcheck cannot parse the script from here.",
    "Most likely the shell cannot either; nothing below was checked.",
    { confidence: 0.6 },
  ),
  rule(
    2024,
    { name: "redirect-without-sudo", title: "Redirection without sudo", remedy: "Pipe into `sudo tee`." },
    "sudo does not reach this redirection.",
    "The file is opened by the calling shell, without the rights.",
  ),
  rule(
    2045,
    { name: "loop-over-ls", title: "Loop over ls output", remedy: "Use a glob." },
    "A loop goes over the output of ls.",
    "Names with spaces fall apart.",
    {
      severity: "info",
    },
  ),
  rule(
    2050,
    { name: "constant-condition", title: "Constant condition", remedy: "Add the missing `$`." },
    "This condition compares two constants.",
    "It always has the same result.",
  ),
  rule(
    2059,
    {
      name: "format-from-variable",
      title: "Variable as a printf format",
      cwe: 134,
      remedy: "Write `'%s'` as the format.",
    },
    "The format of printf comes from a variable.",
    "A `%` in it is taken for a placeholder.",
    { severity: "info" },
  ),
  rule(
    2068,
    { name: "arguments-unquoted", title: "Unquoted $@", remedy: 'Write `"$@"`.' },
    "The arguments are handed on without quotes.",
    "Arguments with spaces or globs fall apart.",
    { severity: "warning", confidence: 0.85 },
  ),
  rule(
    2070,
    { name: "unquoted-n", title: "Unquoted -n test", remedy: "Put the value in quotes." },
    "`-n` gets no quotes.",
    "With an empty value the test is true.",
    SURE,
  ),
  rule(
    2071,
    { name: "text-compared-as-number", title: "Numbers compared as text", remedy: "Use `-lt` and `-gt`." },
    "`<` and `>` compare text here.",
    "10 is less than 9 that way.",
    SURE,
  ),
  rule(
    2076,
    { name: "quoted-pattern", title: "Quoted regular expression in =~", remedy: "Remove the quotes." },
    "The pattern of `=~` is quoted.",
    "It is then compared as plain text.",
  ),
  rule(
    2077,
    { name: "missing-spaces", title: "Missing spaces around an operator", remedy: "Add the spaces." },
    "Spaces are missing around the operator.",
    "The whole is one non-empty word, so the test is always true.",
    SURE,
  ),
  rule(
    2078,
    { name: "constant-text-condition", title: "Constant condition", remedy: "Add the missing `$`." },
    "This condition is a constant text.",
    "It is always true.",
    SURE,
  ),
  rule(
    2081,
    { name: "glob-in-test", title: "Glob in [ … ]", remedy: "Use `[[ … ]]` or `case`." },
    "`[ … ]` does not match globs.",
    "The text is compared as it stands.",
    SURE,
  ),
  rule(
    2088,
    { name: "quoted-tilde", title: "Tilde in quotes", remedy: "Use `$HOME`." },
    "A tilde in quotes is not replaced.",
    "The path begins with a folder called `~`.",
  ),
  rule(
    2104,
    { name: "break-in-function", title: "break outside a loop", remedy: "Use `return`." },
    "`break` or `continue` stands outside a loop.",
    "In a function it ends nothing, or the loop of the caller.",
  ),
  rule(
    2105,
    { name: "break-outside-loop", title: "break outside a loop", remedy: "Use `exit` or `return`." },
    "`break` or `continue` stands outside a loop.",
    "The shell ignores it or stops with an error.",
  ),
  rule(
    2114,
    { name: "system-folder-removed", title: "System folder deleted", remedy: "Name the folder that was meant." },
    "A folder of the system is deleted.",
    "If that is meant, `rm -r` without -f would ask.",
    { severity: "error", confidence: 0.75 },
  ),
  rule(
    2115,
    {
      name: "may-remove-root",
      title: "rm -rf with a variable that may be empty",
      remedy: "Expand it with `:?`, so the script stops instead.",
    },
    "With an empty variable this deletes from the root.",
    "Check it first, or expand it with `:?`, so that the script stops instead.",
    { severity: "error", confidence: 0.82 },
  ),
  rule(
    2123,
    { name: "path-overwritten", title: "PATH overwritten", remedy: "Use another name." },
    "PATH is overwritten.",
    "No program is found any more.",
  ),
  rule(
    2124,
    { name: "array-into-text", title: "Array assigned to a string", remedy: "Use an array, or `*` to join it." },
    "An array is assigned to a text.",
    "The elements can no longer be told apart.",
  ),
  rule(
    2128,
    { name: "array-first-only", title: "Array without an index", remedy: "Add `[@]` to the name, inside of quotes." },
    "An array is used without an index.",
    "Only its first element is taken.",
  ),
  rule(
    2141,
    { name: "backslash-in-ifs", title: "Backslash in IFS", remedy: "Write `$'\\n'` or `$'\\t'`." },
    "IFS holds a backslash and a letter.",
    "They are taken as they stand.",
  ),
  rule(
    2142,
    { name: "parameter-in-alias", title: "Parameter in an alias", remedy: "Use a function." },
    "An alias has no parameters.",
    "`$1` means the parameter of the script.",
    SURE,
  ),
  rule(
    2144,
    { name: "exists-with-glob", title: "-e with a glob", remedy: "Use a loop." },
    "`-e` is asked about a glob.",
    "With several matches the test fails.",
  ),
  rule(
    2145,
    { name: "mixed-text-and-array", title: "String and array joined", remedy: "Use `*` or a separate argument." },
    "Text and an array are joined.",
    "The first and last element merge with the text.",
    { severity: "info" },
  ),
  rule(
    2152,
    { name: "return-above-255", title: "return value above 255", remedy: "Return 0 to 255." },
    "`return` takes numbers from 0 to 255.",
    "Larger ones are cut, and 256 becomes success.",
    SURE,
  ),
  rule(
    2157,
    { name: "constant-emptiness", title: "Constant emptiness test", remedy: "Add the missing `$`." },
    "This test for emptiness is about a constant.",
    "It always has the same result.",
    SURE,
  ),
  rule(
    2164,
    { name: "cd-unchecked", title: "cd without an error check", remedy: "Add `|| exit`." },
    "Nobody checks whether cd worked.",
    "If it fails, what follows works in the wrong folder.",
    { severity: "info", confidence: 0.75 },
  ),
  rule(
    2168,
    { name: "local-outside-function", title: "local outside a function", remedy: "Remove `local`." },
    "`local` stands outside a function.",
    "The shell stops with an error.",
    SURE,
  ),
  rule(
    2170,
    { name: "number-compared-with-text", title: "Text compared as a number", remedy: "Use `=`." },
    "A text is compared as a number.",
    "The shell reports an error, and the test is false.",
    SURE,
  ),
  rule(
    2173,
    { name: "untrappable", title: "Trap for SIGKILL or SIGSTOP", remedy: "Trap TERM or EXIT." },
    "KILL and STOP cannot be trapped.",
    "This never runs.",
  ),
  rule(
    2183,
    { name: "printf-count", title: "Too few values for printf", remedy: "Pass the missing values." },
    "printf has more placeholders than values.",
    "The rest stays empty.",
  ),
  rule(
    2193,
    { name: "never-equal", title: "Comparison that is never equal", remedy: "Correct or unquote the pattern." },
    "These two can never be equal.",
    "A part of the pattern is missing or quoted.",
    {
      confidence: 0.85,
    },
  ),
  rule(
    2194,
    { name: "constant-case", title: "Constant case", remedy: "Add the missing `$`." },
    "case is asked about a constant.",
    "It always takes the same branch.",
    {
      confidence: 0.85,
    },
  ),
  rule(
    2210,
    {
      name: "redirect-to-number",
      title: "Redirection to a file named by a number",
      remedy: "Use `>&`, or `-gt` to compare.",
    },
    "Output is redirected into a file named by a number.",
    "A file is made.",
  ),
  rule(
    2216,
    { name: "pipe-into-nonreader", title: "Pipe into a command that does not read", remedy: "Use `xargs`." },
    "Something is piped into a command that does not read it.",
    "The input is lost.",
    { confidence: 0.85 },
  ),
  rule(
    2217,
    {
      name: "redirect-into-nonreader",
      title: "Input for a command that does not read",
      remedy: "Pass the file as an argument.",
    },
    "A file is redirected into a command that does not read it.",
    "The input is lost.",
  ),
  rule(
    2221,
    { name: "case-shadows", title: "Shadowed case pattern", cwe: 561, remedy: "Put the narrower pattern first." },
    "This pattern covers a later one.",
    "The later branch is never reached.",
  ),
  rule(
    2225,
    { name: "copy-without-target", title: "cp or mv without a target", remedy: "Add the target." },
    "cp or mv has no target.",
    "It fails.",
    SURE,
  ),
  rule(
    2242,
    { name: "exit-not-number", title: "Invalid exit code", remedy: "Use a number from 0 to 255." },
    "Only numbers from 0 to 255 can be exit codes.",
    "The shell reports an error.",
    SURE,
  ),
  rule(
    2259,
    { name: "pipe-overridden", title: "Pipe overridden by a redirection", remedy: "Remove one of the two." },
    "A redirection overrides the pipe.",
    "What is piped in is lost.",
    SURE,
  ),
  rule(
    2260,
    { name: "output-overridden", title: "Pipe overridden by a redirection", remedy: "Remove one of the two." },
    "A redirection overrides the pipe behind it.",
    "The next command gets nothing.",
  ),
  rule(
    2261,
    { name: "redirections-compete", title: "Competing redirections", remedy: "Keep one of the two." },
    "Two redirections compete for the same channel.",
    "Only the last one counts.",
  ),
  rule(
    2283,
    { name: "spaces-around-assignment", title: "Spaces around an assignment", remedy: "Remove the spaces." },
    "Spaces stand around this assignment.",
    "The shell runs the name as a command.",
    SURE,
  ),
];

/** Every rule of shellcheck that is reported, by number. */
export const SHELL_RULES: ReadonlyMap<number, ShellRule> = new Map(RULES.map((each) => [each.code, each]));
