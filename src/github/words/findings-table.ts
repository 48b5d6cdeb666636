import type { ReportedFinding } from "../../domain/effects.ts";
import { isBlocking, SEVERITIES } from "../../domain/findings.ts";
import { count, foreignCode, foreignLine, type Wording } from "./wording.ts";

/** Advisory findings that get a row when nothing blocks: more cannot be read in 20 seconds. */
const MAXIMUM_ADVISORY_ROWS = 10;

export const TABLE_HEAD = "| severity | finding | where | why |\n|---|---|---|---|";

export interface ListedFindings {
  /** Most important first. */
  readonly rows: readonly ReportedFinding[];
  readonly others: readonly ReportedFinding[];
}

/** Which findings get a row: all that block, all that can be seen nowhere else, and, when nothing blocks, the first advisory ones. */
export function listFindings(findings: readonly ReportedFinding[]): ListedFindings {
  const nothingBlocks = !findings.some(({ finding }) => isBlocking(finding));
  const advisory = findings.filter(({ finding }) => finding.severity !== "info").slice(0, MAXIMUM_ADVISORY_ROWS);
  const shown = new Set(nothingBlocks ? advisory : []);
  const isRow = (reported: ReportedFinding) =>
    isBlocking(reported.finding) || reported.placement === "summary" || shown.has(reported);
  return { rows: findings.filter(isRow), others: findings.filter((reported) => !isRow(reported)) };
}

export function findingRow({ finding, state }: ReportedFinding, wording: Wording): string {
  const what = foreignLine(finding.message, wording, { table: true, maximum: 160 });
  const back = state === "regressed" ? " (back again)" : "";
  const where = foreignCode(`${finding.file}:${finding.line}`, wording, { table: true });
  const why = finding.why === undefined ? "" : foreignLine(finding.why, wording, { table: true, maximum: 200 });
  return `| ${finding.severity} | \`${finding.id}\`${back} ${what} | ${where} | ${why} |`;
}

/** "3 warnings, 5 notes, as comments and annotations"; undefined when there is none. */
export function otherFindings(others: readonly ReportedFinding[]): string | undefined {
  if (others.length === 0) return undefined;
  const parts = SEVERITIES.toReversed().flatMap((severity) => {
    const number = others.filter(({ finding }) => finding.severity === severity).length;
    return number === 0 ? [] : [NOUNS[severity](number)];
  });
  const commented = others.filter(({ placement }) => placement === "comment" || placement === "file_comment").length;
  const places = [...(commented > 0 ? ["comments"] : []), ...(commented < others.length ? ["annotations"] : [])];
  return `${parts.join(", ")}, as ${places.join(" and ")}`;
}

const NOUNS = {
  critical: (number: number) => `${number} critical`,
  error: (number: number) => count(number, "error"),
  warning: (number: number) => count(number, "warning"),
  info: (number: number) => count(number, "note"),
} as const;
