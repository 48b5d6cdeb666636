import type { Severity } from "../domain/findings.ts";
import { namePath } from "./name-path.ts";
import { lineText, type SourceFile } from "./source-file.ts";

/** From here on nothing in a test explains it either. */
const CERTAIN = 0.95;

interface WeighedRule {
  readonly severity: Severity;
  readonly confidence: number;
  /** About tests, or as wrong in them as elsewhere. */
  readonly inTests?: true;
  /**
   * Text is run as code or as a command: CI runs tests too, so that a back door in one is open. Of a rule that also reports what tests do
   * every day only `from outside` counts.
   */
  readonly runsText?: "always" | "from outside";
}

/** Folders of what tests read and nothing runs. */
const FIXTURE = /(?:^|\/)(?:fixtures?|__fixtures__|test-?data)\//i;

export function isFixture(path: string): boolean {
  return FIXTURE.test(namePath(path));
}

const STRING = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\x60(?:[^\x60\\$]|\\.)*\x60)`;
/** A call with nothing but strings: no input gets into it. */
const CONSTANT = new RegExp(
  String.raw`^[^(]{0,40}\(\s{0,9}${STRING}(?:\s{0,9},\s{0,9}(?:${STRING}|\d{1,9})){0,9}\s{0,9}\)`,
);
/** Where words of others come from, and what only such words are hidden in. */
const OUTSIDE =
  /\bprocess\b|\brequire\b|\bimport\b|\bfetch\b|https?:|\batob\b|base64|\bstdin\b|\bargv\b|\benviron\b|\bgetenv\b|\binput\s?\(|\burlopen\b|\brequests\.|\b(?:curl|wget)\b/;
const MOST_CHARACTERS = 2_000;

/**
 * Tests do on purpose what is a mistake elsewhere (compare a value with itself, drop an error, read what may be missing: the test fails
 * then, as it should) and open no way in. What most rules report there is a remark.
 * @param at where it begins, from 1
 */
export function severityIn(
  file: Pick<SourceFile, "path" | "test" | "text" | "lineStarts">,
  rule: WeighedRule,
  at: { readonly line: number; readonly column: number },
): Severity {
  if (!file.test || rule.inTests !== undefined || rule.confidence >= CERTAIN) return rule.severity;
  if (rule.runsText === undefined || isFixture(file.path)) return "info";
  const code = lineText(file, at.line).slice(at.column - 1, at.column - 1 + MOST_CHARACTERS);
  const said = rule.runsText === "always" ? CONSTANT.exec(code)?.[0] : code;
  return said !== undefined && !OUTSIDE.test(said) ? "info" : "warning";
}
