import { defined } from "../../domain/defined.ts";
import { type Finding, isUnproven, type Severity } from "../../domain/findings.ts";
import { SEVERITIES } from "../../domain/severities.ts";
import { pathToBytes } from "../../workspace/path-text.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** Relative paths begin at the root of the repository. */
const ROOT = "%SRCROOT%";

export interface SarifOptions {
  /** Version of Forge. */
  readonly version: string;
  /** What was not looked at, one sentence each: the log says so itself (GH-11a). */
  readonly notes?: readonly string[];
}

/** Findings as a SARIF 2.1.0 log of one run, in the order given; to be printed with `JSON.stringify`. */
export function writeSarif(findings: readonly Finding[], { version, notes = [] }: SarifOptions) {
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
          driver: { name: "Forge", version, rules: [...byRule].map(([rule, found]) => describeRule(rule, found)) },
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

function describeRule(rule: string, found: readonly Finding[]) {
  const categories = [...new Set(found.map(({ category }) => category))].sort();
  const worst = SEVERITIES.findLast((severity) => found.some((finding) => finding.severity === severity)) ?? "info";
  const why = found.find((finding) => finding.why !== undefined)?.why;
  return {
    id: rule,
    shortDescription: { text: rule },
    ...(why === undefined ? {} : { fullDescription: { text: why } }),
    defaultConfiguration: { level: LEVELS[worst] },
    properties: {
      tags: categories,
      ...(categories.includes("security") ? { "security-severity": SECURITY_SCORES[worst] } : {}),
    },
  };
}

function describeResult(finding: Finding, ruleIndex: number) {
  const { line, column, endLine, endColumn, fix, severity, category, confidence, source } = finding;
  const artifactLocation = { uri: uriOf(finding.file), uriBaseId: ROOT };
  return {
    ruleId: finding.rule,
    ruleIndex,
    // Code scanning fails a check for what stands there as an error.
    level: LEVELS[isUnproven(finding) ? "warning" : severity],
    message: { text: finding.message },
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
    ...defined({ fixes: fix && [describeFix(fix)] }),
    properties: { id: finding.id, severity, category, confidence, layer: source },
  };
}

/** Whole lines are replaced: the region ends where the line after them begins. */
function describeFix({ file, startLine, endLine, after }: NonNullable<Finding["fix"]>) {
  return {
    artifactChanges: [
      {
        artifactLocation: { uri: uriOf(file), uriBaseId: ROOT },
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

/** A path as a relative URI: what is neither a letter, a digit nor one of `-._~/` is percent-encoded byte by byte. */
function uriOf(path: string): string {
  return Array.from(pathToBytes(path), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9\-._~/]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}
