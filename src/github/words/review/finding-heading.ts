import { confidenceInWords, type Finding, isUnproven, type Severity } from "../../../domain/findings.ts";
import { SEVERITIES } from "../../../domain/severities.ts";
import { count } from "../wording.ts";

/** "`F-9M4D` · error · security · high confidence": which, how bad, of what kind, and how sure (FIND-2). Markdown. */
export function findingHeading(finding: Finding): string {
  return [`\`${finding.id}\``, ...traits(finding)].join(" · ");
}

/** The same without the id, for where plain text is shown. */
export function traits(finding: Finding): string[] {
  const { category, confidence } = finding;
  return [severityOf(finding), category.replaceAll("_", " "), `${confidenceInWords(confidence)} confidence`];
}

/** "error", "unproven critical": what happens, and that nothing has shown it, where that keeps it from blocking (REV-4). */
export function severityOf(finding: Finding): string {
  return isUnproven(finding) ? `unproven ${finding.severity}` : finding.severity;
}

/** "line 31", "lines 31 to 40". */
export function linesOf({ line, endLine }: Finding): string {
  return line === endLine ? `line ${line}` : `lines ${line} to ${endLine}`;
}

const NOUNS = {
  critical: (number: number, unproven: string) => `${number} ${unproven}critical`,
  error: (number: number, unproven: string) => count(number, `${unproven}error`),
  warning: (number: number) => count(number, "warning"),
  info: (number: number) => count(number, "note"),
} as const;

/** "1 critical, 2 errors", the gravest first; empty when there is none. `unproven` goes before those that could block: "unproven ". */
export function severityCounts(severities: readonly Severity[], unproven = ""): string {
  return SEVERITIES.toReversed()
    .flatMap((severity) => {
      const number = severities.filter((other) => other === severity).length;
      return number === 0 ? [] : [NOUNS[severity](number, unproven)];
    })
    .join(", ");
}

/** Names that say nothing of a fault by themselves. */
const KNOWN: Readonly<Record<string, string>> = { "ai/logic": "wrong logic" };

/**
 * "noSelfCompare" of `biome/suspicious/noSelfCompare`: what people call it. A model's finding keeps saying that it is one, `ai/logic`, and a
 * row of the patterns has a name only with its theme: `tls/unchecked`.
 */
export function shortRule(rule: string): string {
  if (rule.startsWith(PATTERNS)) return rule.slice(PATTERNS.length);
  return rule.startsWith("ai/") ? rule : lastPart(rule);
}

const PATTERNS = "patterns/";

/** "self compare", for where there is room for a few words; undefined for a rule that is a number. */
export function ruleInWords(rule: string): string | undefined {
  const known = KNOWN[rule];
  if (known !== undefined) return known;
  const words = (rule.startsWith(PATTERNS) ? shortRule(rule) : lastPart(rule))
    .replace(/^[A-Za-z]{1,6}\d+\b[-_:]?/, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replace(/[-_/\s]+/g, " ")
    .toLowerCase()
    .trim()
    .replace(/^no /, "");
  return words === "" ? undefined : words;
}

function lastPart(rule: string): string {
  return rule.split("/").findLast((part) => part !== "") ?? rule;
}
