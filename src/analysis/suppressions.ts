import type { LineSet } from "./line-set.ts";

/** A comment that tells a tool to look away. */
export interface Suppression {
  readonly line: number;
  readonly column: number;
  readonly directive: string;
  /** Whether it covers a whole file or an open range rather than one line. */
  readonly wide: boolean;
  /** Whether it says which rules it is about: these were chosen. */
  readonly named: boolean;
}

const DIRECTIVE =
  /biome-ignore(?:-all|-start|-end)?|eslint-disable(?:-next-line|-line)?|oxlint-disable(?:-next-line|-line)?|prettier-ignore|@ts-ignore|@ts-nocheck|secretlint-disable(?:-next-line|-line)?|gitleaks:allow/g;

/** Those of tools for languages whose comments begin with `#`; they are obeyed there only. */
const HASH_DIRECTIVE =
  /\b(?:ruff|flake8)\s*:\s*noqa\b|\bruff\s*:\s*(?:file-)?(?:ignore|disable)|\bnoqa\b|\bshellcheck\s+(?=[a-z-]+=)/gi;

/** Those of tools that Forge does not run, or that stand for more than silence: nothing has to be blanked for them. */
const FOREIGN_DIRECTIVE =
  /@ts-expect-error|\beslint\s{1,20}[\w@/-]{1,60}(?=\s{0,20}:\s{0,20}["']?(?:off|0)\b)|\b(?:stylelint-disable(?:-next-line|-line)?|tslint:disable(?:-next-line|-line)?|deno-lint-ignore(?:-file)?|markdownlint-disable|nosemgrep|nosec|nolint|rubocop:disable|phpcs:ignore(?:File)?|trufflehog:ignore|ggignore|pragma: allowlist secret|checkov:skip|tfsec:ignore|hadolint\s{1,20}ignore=|yamllint\s{1,20}disable(?:-line)?|zizmor: ignore|pylint:\s{0,20}(?:disable|skip-file)|(?:type|pyright):\s{0,20}ignore|mypy:\s{0,20}ignore-errors)\b|\bNOSONAR\b/g;

/** A word of each of them: most lines have none, and seeing that takes a tenth of looking for all of them. */
const ANY_WORD =
  /ignore|disable|noqa|nocheck|expect-error|eslint|shellcheck|nosemgrep|nosec|nolint|nosonar|allow|checkov|skip/i;

const WIDE = new Set([
  "biome-ignore-all",
  "biome-ignore-start",
  "eslint-disable",
  "oxlint-disable",
  "secretlint-disable",
  "@ts-nocheck",
  "stylelint-disable",
  "tslint:disable",
  "deno-lint-ignore-file",
  "markdownlint-disable",
  "phpcs:ignoreFile",
]);
const WIDE_OF_PYTHON = /^(?:ruff|flake8|mypy)\b|^pylint:\s*skip-file/i;

/** What may stand between the beginning of a comment and a directive; text that merely mentions one has words or a quote there. */
const COMMENT_OPENING = /(?:^|[^"'`/])(?:\/\/+|\/\*+|^\s*\*+|#+|<!--)\s*$/;

/** The opening is looked for this close before a directive: a line may have a megabyte. */
const LONGEST_OPENING = 200;

/** What follows a directive that is about some rules only: `no-console`, `lint/style/useConst`, `: F401`, `=SC2086`. */
const NAMES_RULES = /^(?:\s+@?\w+(?:[-/][\w/-]+|\s*(?:,|\*\/))|\s*[:=]\s*[A-Z]+\d+)/;
const LONGEST_NAME = 100;

/** A line with more of them says nothing new. */
const MOST_IN_LINE = 20;

/** The suppressions that stand in comments of these lines. */
export function findSuppressions(lines: Iterable<number>, textOf: (line: number) => string): Suppression[] {
  const found: Suppression[] = [];
  for (const line of lines) {
    const text = textOf(line);
    if (!ANY_WORD.test(text)) continue;
    const patterns = [DIRECTIVE, HASH_DIRECTIVE, FOREIGN_DIRECTIVE];
    for (const match of patterns.flatMap((pattern) => [...text.matchAll(pattern).take(MOST_IN_LINE)])) {
      const directive = match[0].trimEnd();
      if (!COMMENT_OPENING.test(text.slice(Math.max(0, match.index - LONGEST_OPENING), match.index))) continue;
      found.push({
        line,
        column: match.index + 1,
        directive,
        wide: WIDE.has(directive) || WIDE_OF_PYTHON.test(directive),
        named: NAMES_RULES.test(
          text.slice(match.index + match[0].length, match.index + match[0].length + LONGEST_NAME),
        ),
      });
    }
  }
  return found;
}

/**
 * The text with the directives of its added lines blanked: as long as before, still a comment, and no tool obeys it. A change must
 * not be able to hide itself; what was accepted before it stays in force.
 */
export function blankSuppressions(text: string, addedLines: LineSet): string {
  if (text.search(DIRECTIVE) === -1) return text;
  return text
    .split("\n")
    .map((line, index) => (addedLines.has(index + 1) ? line.replace(DIRECTIVE, blank) : line))
    .join("\n");
}

/** Promises that the next line has an error of types; in tests that is what is tested. */
export function blankExpectedErrors(text: string, addedLines: LineSet): string {
  if (!text.includes(EXPECTED_ERROR)) return text;
  return text
    .split("\n")
    .map((line, index) => (addedLines.has(index + 1) ? line.replaceAll(EXPECTED_ERROR, blank) : line))
    .join("\n");
}

const EXPECTED_ERROR = "@ts-expect-error";

/** The same for text whose comments begin with `#`: only what stands behind one is touched. */
export function blankHashSuppressions(text: string, addedLines: LineSet): string {
  if (text.search(HASH_DIRECTIVE) === -1) return text;
  return text
    .split("\n")
    .map((line, index) => {
      const hash = addedLines.has(index + 1) ? line.indexOf("#") : -1;
      return hash === -1 ? line : line.slice(0, hash) + line.slice(hash).replace(HASH_DIRECTIVE, blank);
    })
    .join("\n");
}

function blank(directive: string): string {
  return " ".repeat(directive.length);
}
