import { z } from "zod";
import type { Severity } from "../../domain/findings.ts";
import { uriInCheckout } from "./reported-path.ts";
import { categoryOf, reportsSecrets } from "./rule-categories.ts";
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

/**
 * The part of a SARIF 2.1.0 log that Forge reads. Members of a wrong type count as missing, so that one of them does not cost the rest
 * of the result; what is an array of objects is read one by one.
 */
const text = lenient(z.string());
const number = lenient(z.number());
const list = lenient(z.array(z.unknown()));
const texts = lenient(z.array(z.string()));

const Message = lenient(z.object({ text, id: text, arguments: texts }));
type SarifMessage = z.infer<typeof Message>;

const ArtifactLocation = z.object({ uri: text, uriBaseId: text, index: number });
type ArtifactLocation = z.infer<typeof ArtifactLocation>;
const Artifact = z.object({ location: lenient(ArtifactLocation) });

const Region = z.object({ startLine: number, startColumn: number, endLine: number, endColumn: number });
const PhysicalLocation = z.object({ artifactLocation: lenient(ArtifactLocation), region: lenient(Region) });
const Location = z.object({ physicalLocation: lenient(PhysicalLocation) });

const Rule = z.object({
  id: z.string(),
  shortDescription: Message,
  fullDescription: Message,
  messageStrings: lenient(z.record(z.string(), Message)),
  defaultConfiguration: lenient(z.object({ level: text })),
  properties: lenient(
    z.object({
      tags: texts,
      precision: text,
      "security-severity": lenient(z.union([z.string(), z.number()])),
    }),
  ),
});
type Rule = z.infer<typeof Rule>;

const Component = z.object({ name: text, rules: list });

const Reference = lenient(z.object({ id: text, index: number, toolComponent: lenient(z.object({ index: number })) }));

const Result = z.object({
  ruleId: text,
  ruleIndex: number,
  rule: Reference,
  kind: text,
  level: text,
  message: Message,
  locations: list,
  suppressions: lenient(z.array(z.object({ status: text }))),
  baselineState: text,
  rank: number,
});
type Result = z.infer<typeof Result>;

const Run = z.object({
  tool: z.object({ driver: Component, extensions: lenient(z.array(Component)) }),
  originalUriBaseIds: lenient(z.record(z.string(), lenient(ArtifactLocation))),
  artifacts: list,
  invocations: lenient(z.array(z.object({ executionSuccessful: lenient(z.boolean()) }))),
  results: list,
});
type Run = z.infer<typeof Run>;

const Log = z.object({ version: text, runs: z.array(z.unknown()) });

function lenient<T extends z.ZodType>(type: T) {
  return type.optional().catch(undefined);
}

/** The rules of a run, by the several ways in which a result may name its own. */
interface RuleBook {
  readonly of: (result: Result) => { readonly rule: Rule | undefined; readonly id: string };
}

function openRuleBook({ tool }: Run): RuleBook {
  const driver = readRules(tool.driver.rules);
  const extensions = (tool.extensions ?? []).map(({ rules }) => readRules(rules));
  const byId = new Map([...extensions.toReversed(), driver].flat().flatMap((rule) => (rule ? [[rule.id, rule]] : [])));
  return {
    of: ({ rule: reference, ruleId, ruleIndex }) => {
      const component = reference?.toolComponent?.index;
      const rules = component === undefined ? driver : extensions[component];
      const index = reference?.index ?? ruleIndex;
      const indexed = index === undefined ? undefined : rules?.[index];
      const id = ruleId ?? reference?.id ?? indexed?.id ?? "";
      return { rule: indexed ?? byId.get(id) ?? byId.get(withoutLastPart(id)), id };
    },
  };
}

/** In their order, so that numbers stay right; one that cannot be read leaves its place empty. */
function readRules(rules: readonly unknown[] | undefined): (Rule | undefined)[] {
  return (rules ?? []).map((rule) => Rule.safeParse(rule).data);
}

/** `CA1000/general` is a part of the rule `CA1000`. */
function withoutLastPart(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("/")));
}
