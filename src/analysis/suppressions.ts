/** A comment that tells a tool to look away. */
export interface Suppression {
  readonly line: number;
  readonly column: number;
  readonly directive: string;
  /** Whether it covers a whole file or an open range rather than one line. */
  readonly wide: boolean;
}

const DIRECTIVE =
  /biome-ignore(?:-all|-start|-end)?|eslint-disable(?:-next-line|-line)?|oxlint-disable(?:-next-line|-line)?|prettier-ignore|@ts-ignore|@ts-nocheck|secretlint-disable(?:-next-line|-line)?|gitleaks:allow/g;

/** Those of tools for languages whose comments begin with `#`; they are obeyed there only. */
const HASH_DIRECTIVE =
  /\b(?:ruff|flake8)\s*:\s*noqa\b|\bruff\s*:\s*(?:file-)?(?:ignore|disable)|\bnoqa\b|\bshellcheck\s+(?=[a-z-]+=)/gi;

const WIDE = new Set([
  "biome-ignore-all",
  "biome-ignore-start",
  "eslint-disable",
  "oxlint-disable",
  "secretlint-disable",
  "@ts-nocheck",
]);

/** What may stand between the beginning of a comment and a directive; text that merely mentions one has words or a quote there. */
const COMMENT_OPENING = /(?:^|[^"'`/])(?:\/\/+|\/\*+|^\s*\*+|#+|<!--)\s*$/;

/** The suppressions that stand in comments of these lines. */
export function findSuppressions(lines: Iterable<number>, textOf: (line: number) => string): Suppression[] {
  const found: Suppression[] = [];
  for (const line of lines) {
    const text = textOf(line);
    for (const match of [...text.matchAll(DIRECTIVE), ...text.matchAll(HASH_DIRECTIVE)]) {
      const directive = match[0].trimEnd();
      if (!COMMENT_OPENING.test(text.slice(0, match.index))) continue;
      found.push({
        line,
        column: match.index + 1,
        directive,
        wide: WIDE.has(directive) || /^(?:ruff|flake8)\b/i.test(directive),
      });
    }
  }
  return found;
}

/**
 * The text with the directives of its added lines blanked: as long as before, still a comment, and no tool obeys it. A change must
 * not be able to hide itself; what was accepted before it stays in force.
 */
export function blankSuppressions(text: string, addedLines: ReadonlySet<number>): string {
  if (text.search(DIRECTIVE) === -1) return text;
  return text
    .split("\n")
    .map((line, index) => (addedLines.has(index + 1) ? line.replace(DIRECTIVE, blank) : line))
    .join("\n");
}

/** The same for text whose comments begin with `#`: only what stands behind one is touched. */
export function blankHashSuppressions(text: string, addedLines: ReadonlySet<number>): string {
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
