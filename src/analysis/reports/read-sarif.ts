import type { Severity } from "../../domain/findings.ts";
import { uriInCheckout } from "./reported-path.ts";
import { categoryOf, reportsSecrets } from "./rule-categories.ts";
import {
  Artifact,
  type ArtifactLocation,
  Location,
  Log,
  openRuleBook,
  Result,
  type Rule,
  type RuleBook,
  Run,
  type SarifMessage,
} from "./sarif-log.ts";
import {
  type DropReason,
  gatherReport,
  parseReport,
  type ReportedResult,
  type ReportGathering,
  type ReportOptions,
  type ToolReport,
  toolName,
} from "./tool-report.ts";

/** Reads a SARIF 2.1.0 log: the first place of each result, without its fixes, flows and related places. */
export function readSarif(text: string, options: ReportOptions): ToolReport {
  const gathering = gatherReport(options);
  const parsed = parseReport(text);
  if ("problem" in parsed) return gathering.finish(parsed.problem);
  const log = Log.safeParse(parsed.json);
  if (!log.success) return gathering.finish("its report is not a SARIF log");
  if (log.data.version !== "2.1.0") return gathering.finish("its report is not SARIF of version 2.1.0");
  const problems = log.data.runs.map((given) => {
    const run = Run.safeParse(given);
    if (!run.success) return "a run in its report cannot be read";
    readRun(run.data, options, gathering);
    const failed = run.data.invocations?.some(({ executionSuccessful }) => executionSuccessful === false);
    return failed ? "it says that it did not succeed" : undefined;
  });
  return gathering.finish(problems.find((problem) => problem !== undefined));
}

interface RunContext {
  readonly run: Run;
  readonly tool: string;
  readonly rules: RuleBook;
  readonly root: string;
}

function readRun(run: Run, { root }: ReportOptions, gathering: ReportGathering): void {
  const context = { run, tool: toolName(run.tool.driver.name ?? ""), rules: openRuleBook(run), root };
  for (const given of run.results ?? []) {
    const result = Result.safeParse(given);
    gathering.take(result.success ? readResult(result.data, context) : "not readable");
  }
}

function readResult(result: Result, { run, tool, rules, root }: RunContext): ReportedResult | DropReason {
  if (isSuppressed(result)) return "suppressed";
  if (isNoFinding(result)) return "not a finding";
  const { rule, id } = rules.of(result);
  const location = Location.safeParse(result.locations?.[0]).data?.physicalLocation;
  const artifact = artifactOf(run, location?.artifactLocation);
  if (artifact?.uri === undefined) return "no file";
  const file = uriInCheckout(artifact.uri, artifact.uriBaseId, run.originalUriBaseIds ?? {}, root);
  if (file === undefined) return "outside the checkout";
  const { startLine, startColumn, endLine, endColumn } = location?.region ?? {};
  const category = categoryOf(tool, id, rule?.properties?.tags);
  return {
    tool,
    rule: id,
    severity: severityOf(result, rule, category === "security"),
    category,
    confidence: confidenceOf(result, rule),
    file,
    region: { line: startLine, column: startColumn, endLine, endColumn },
    message: messageOf(result.message, rule) ?? rule?.shortDescription?.text ?? "",
    why: rule?.fullDescription?.text ?? rule?.shortDescription?.text,
    secret: reportsSecrets(tool),
  };
}

/** A place names its file itself, or by its number in the run's list of files. */
function artifactOf(run: Run, given: ArtifactLocation | undefined): ArtifactLocation | undefined {
  if (given?.uri !== undefined || given?.index === undefined) return given;
  return Artifact.safeParse(run.artifacts?.[given.index]).data?.location;
}

/** A suppression that waits for its review, or was refused, suppresses nothing. */
function isSuppressed({ suppressions }: Result): boolean {
  if (suppressions === undefined || suppressions.length === 0) return false;
  return suppressions.every(({ status }) => status === undefined || status === "accepted");
}

function isNoFinding({ kind, baselineState }: Result): boolean {
  return kind === "pass" || kind === "notApplicable" || baselineState === "absent";
}

const BY_LEVEL: ReadonlyMap<string, Severity> = new Map([
  ["error", "error"],
  ["warning", "warning"],
  ["note", "info"],
  ["none", "info"],
]);

function severityOf(result: Result, rule: Rule | undefined, isSecurity: boolean): Severity {
  if (result.kind !== undefined && result.kind !== "fail") return "info";
  // Scores from 0 to 10 as GitHub shows them; for a weakness they say more than the three levels do.
  const score = Number(rule?.properties?.["security-severity"] ?? Number.NaN);
  if (isSecurity && score > 0) return score >= 9 ? "critical" : score >= 7 ? "error" : score >= 4 ? "warning" : "info";
  return BY_LEVEL.get(result.level ?? rule?.defaultConfiguration?.level ?? "warning") ?? "warning";
}

const BY_PRECISION: ReadonlyMap<string, number> = new Map([
  ["very-high", 0.95],
  ["high", 0.85],
  ["medium", 0.6],
  ["low", 0.4],
]);

/** What the rule says of its precision, else what the result says of its rank; a configured tool is trusted where neither speaks. */
function confidenceOf(result: Result, rule: Rule | undefined): number {
  const precision = BY_PRECISION.get(rule?.properties?.precision ?? "");
  if (precision !== undefined) return precision;
  const rank = result.rank ?? -1;
  return rank >= 0 && rank <= 100 ? rank / 100 : 0.8;
}

function messageOf(message: SarifMessage, rule: Rule | undefined): string | undefined {
  const strings = rule?.messageStrings ?? {};
  const named = message?.id !== undefined && Object.hasOwn(strings, message.id) ? strings[message.id]?.text : undefined;
  const template = message?.text ?? named;
  const filled = template
    ?.slice(0, LONGEST_TEMPLATE)
    .replace(/\{(\d{1,3})\}/g, (placeholder, at: string) => message?.arguments?.[Number(at)] ?? placeholder);
  // An embedded link, `[text](3)`, points into the report.
  return filled?.replace(/\[([^[\]]{1,200})\]\((?:\d{1,4}|[a-z]{1,10}:[^()\s]{1,500})\)/g, "$1");
}

/** Cut to its final length later; only this much of it is searched for placeholders and links. */
const LONGEST_TEMPLATE = 4_000;
