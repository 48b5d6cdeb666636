import { lastPart, ruleFacts, titleOf } from "../../../analysis/rule-facts.ts";
import { confidenceInWords, type Finding, type FlowStep, isUnproven, type Severity } from "../../../domain/findings.ts";
import { SEVERITIES } from "../../../domain/severities.ts";
import { codeSpan } from "../../../safety/code-text.ts";
import { count, foreignCode, foreignLine, type Wording } from "../wording.ts";

/** "**Command injection** (CWE-78)": the name by which users know the problem. Markdown. */
export function findingTitle(finding: Finding, wording: Wording): string {
  const cwe = ruleFacts(finding.rule)?.cwe;
  const title = titleOf(finding.rule) ?? (finding.message.split("\n")[0] ?? "").replace(/\.$/, "");
  return `**${foreignLine(title, wording)}**${cwe === undefined ? "" : ` (CWE-${cwe})`}`;
}

/** "Error · security · high confidence · [`shell`](…) · `F-9M4D`" (FIND-2), with a link to the rule's page where it has one. Markdown. */
export function findingTraits(finding: Finding, wording: Wording): string {
  const [severity = "", ...others] = traits(finding);
  const rule = foreignCode(shortRule(finding.rule), wording);
  const url = ruleFacts(finding.rule)?.url;
  const linked = url === undefined ? rule : `[${rule}](${url})`;
  const first = `${severity.slice(0, 1).toUpperCase()}${severity.slice(1)}`;
  return [first, ...others, linked, `\`${finding.id}\``].join(" · ");
}

/** "Data flow: line 30 `request.query.dir` → line 31 `exec`"; undefined without steps. */
export function flowText(flow: readonly FlowStep[] | undefined, arrow = "→"): string | undefined {
  if (flow === undefined || flow.length < 2) return undefined;
  const steps = flow.map(({ path, line, text }) => {
    const place = path === undefined ? `line ${line}` : `${codeSpan(path)} line ${line}`;
    return `${place} ${codeSpan(text)}`;
  });
  return `Data flow: ${steps.join(` ${arrow} `)}`;
}

/** Severity, category and confidence, for where plain text is shown. */
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

/** "1 critical, 2 errors", the most severe first; empty without findings. `unproven` goes before those that could block: "unproven ". */
export function severityCounts(severities: readonly Severity[], unproven = ""): string {
  return SEVERITIES.toReversed()
    .flatMap((severity) => {
      const number = severities.filter((other) => other === severity).length;
      return number === 0 ? [] : [NOUNS[severity](number, unproven)];
    })
    .join(", ");
}

/**
 * "noSelfCompare" of `biome/suspicious/noSelfCompare`: what people call it. A model's finding keeps saying that it is one, `ai/logic`, and a
 * row of the patterns has a name only with its theme: `tls/unchecked`.
 */
export function shortRule(rule: string): string {
  if (rule.startsWith(PATTERNS)) return rule.slice(PATTERNS.length);
  return rule.startsWith("ai/") ? rule : lastPart(rule);
}

const PATTERNS = "patterns/";

/** "self-comparison", for where there is room for a few words; undefined for a rule that is a number. */
export function ruleInWords(rule: string): string | undefined {
  const title = titleOf(rule);
  // "SQL injection" keeps its capitals.
  return title !== undefined && /^[A-Z][a-z]/.test(title) ? title.slice(0, 1).toLowerCase() + title.slice(1) : title;
}
