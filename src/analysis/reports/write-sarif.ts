import { defined } from "../../domain/defined.ts";
import { type Finding, isUnproven, type Severity } from "../../domain/findings.ts";
import { SEVERITIES } from "../../domain/severities.ts";
import { pathUri } from "../../workspace/path-text.ts";
import { remedyOf, ruleFacts, titleOf } from "../rule-facts.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** Relative paths begin at the root of the repository. */
const ROOT = "%SRCROOT%";

export interface SarifOptions {
  /** Version of Forge. */
  readonly version: string;
  /** What was not looked at, one sentence each: the log says so itself (GH-11a). */
  readonly notes?: readonly string[];
  /** The address below which Forge's own documentation can be read; without it a rule leads to the page of its CWE. */
  readonly pages?: string | undefined;
}

/** Findings as a SARIF 2.1.0 log of one run, in the order given; to be printed with `JSON.stringify`. */
export function writeSarif(findings: readonly Finding[], { version, notes = [], pages }: SarifOptions) {
  const byRule = Map.groupBy(
    findings.toSorted((a, b) => (a.rule < b.rule ? -1 : 1)),
    ({ rule }) => rule,
  );
  const indexes = new Map([...byRule.keys()].map((rule, index) => [rule, index]));
  return {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Forge",
            version,
            rules: [...byRule].map(([rule, found]) => describeRule(rule, found, pages)),
          },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { [ROOT]: { description: { text: "The root of the repository." } } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notes.map((text) => ({ level: "warning", message: { text } })),
          },
        ],
        results: findings.map((finding) => describeResult(finding, indexes.get(finding.rule) ?? -1)),
      },
    ],
  };
}

const LEVELS: Readonly<Record<Severity, "note" | "warning" | "error">> = {
  info: "note",
  warning: "warning",
  error: "error",
  critical: "error",
};

/** Within the range that GitHub shows as low, medium, high and critical. */
const SECURITY_SCORES: Readonly<Record<Severity, string>> = {
  info: "2.0",
  warning: "5.5",
  error: "8.0",
  critical: "9.5",
};

/** Severities of rules that are not about security, as code scanning names them. */
const PROBLEM_SEVERITIES: Readonly<Record<Severity, "recommendation" | "warning" | "error">> = {
  info: "recommendation",
  warning: "warning",
  error: "error",
  critical: "error",
};

/** Characters that code scanning takes of a rule's name and of its descriptions. */
const MOST_NAME = 255;
const MOST_DESCRIPTION = 1_024;

function describeRule(rule: string, found: readonly Finding[], pages: string | undefined) {
  const categories = [...new Set(found.map(({ category }) => category))].sort();
  const { cwe, url, docs, remedy } = ruleFacts(rule) ?? {};
  const title = titleOf(rule) ?? rule;
  const worst = SEVERITIES.findLast((severity) => found.some((finding) => finding.severity === severity)) ?? "info";
  const about = `${title}${cwe === undefined ? "" : ` (CWE-${cwe})`}`;
  const help = [
    `${about}.`,
    ...(remedy === undefined ? [] : [remedy]),
    ...(docs === undefined ? [] : [`Examples are in ${docs} of Forge.`]),
  ];
  const section = pages === undefined || docs === undefined ? undefined : `${pages}${docs}`;
  return {
    id: rule,
    name: atMost(MOST_NAME, title),
    shortDescription: { text: atMost(MOST_DESCRIPTION, title) },
    fullDescription: { text: atMost(MOST_DESCRIPTION, remedy === undefined ? `${about}.` : `${about}. ${remedy}`) },
    help: { text: help.join("\n"), markdown: help.join("\n\n") },
    ...defined({ helpUri: section ?? url }),
    defaultConfiguration: { level: LEVELS[worst] },
    properties: {
      // GitHub groups alerts by this form of a CWE's tag.
      tags: [...categories, ...(cwe === undefined ? [] : [`external/cwe/cwe-${String(cwe).padStart(3, "0")}`])],
      precision: precisionOf(Math.max(...found.map(({ confidence }) => confidence))),
      ...(categories.includes("security")
        ? { "security-severity": SECURITY_SCORES[worst] }
        : { "problem.severity": PROBLEM_SEVERITIES[worst] }),
    },
  };
}

function atMost(characters: number, text: string): string {
  return text.length > characters ? `${text.slice(0, characters - 1)}…` : text;
}

/** How often the findings of a rule are right: code scanning sorts by it. */
function precisionOf(confidence: number): "low" | "medium" | "high" | "very-high" {
  if (confidence >= 0.95) return "very-high";
  if (confidence >= 0.8) return "high";
  return confidence >= 0.5 ? "medium" : "low";
}

function describeResult(finding: Finding, ruleIndex: number) {
  const { line, column, endLine, endColumn, fix, severity, category, confidence, source } = finding;
  const said = [withStop(finding.message), finding.why ?? "", remedyOf(finding) ?? ""].filter((part) => part !== "");
  const artifactLocation = { uri: pathUri(finding.file), uriBaseId: ROOT };
  return {
    ruleId: finding.rule,
    ruleIndex,
    // Code scanning fails a check for what stands there as an error.
    level: LEVELS[isUnproven(finding) ? "warning" : severity],
    message: { text: said.join(" ") },
    locations: [
      {
        physicalLocation: {
          artifactLocation,
          region: {
            startLine: line,
            ...defined({ startColumn: column }),
            endLine,
            ...defined({ endColumn }),
          },
        },
      },
    ],
    partialFingerprints: { "forgeFingerprint/v1": finding.fingerprint },
    rank: Math.round(1_000 * confidence) / 10,
    ...defined({ codeFlows: describeFlow(finding), fixes: fix && [describeFix(fix)] }),
    properties: { id: finding.id, severity, category, confidence, layer: source },
  };
}

/** The way of a value from its source to the place of the finding. */
function describeFlow({ file, flow }: Finding) {
  if (flow === undefined || flow.length < 2) return undefined;
  const locations = flow.map(({ path = file, line, text }) => ({
    location: {
      physicalLocation: {
        artifactLocation: { uri: pathUri(path), uriBaseId: ROOT },
        region: { startLine: line },
      },
      message: { text },
    },
  }));
  return [{ threadFlows: [{ locations }] }];
}

function withStop(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}

/** Whole lines are replaced: the region ends where the line after them begins. */
function describeFix({ file, startLine, endLine, after }: NonNullable<Finding["fix"]>) {
  return {
    artifactChanges: [
      {
        artifactLocation: { uri: pathUri(file), uriBaseId: ROOT },
        replacements: [
          {
            deletedRegion: { startLine, startColumn: 1, endLine: endLine + 1, endColumn: 1 },
            insertedContent: { text: after === "" || after.endsWith("\n") ? after : `${after}\n` },
          },
        ],
      },
    ],
  };
}
