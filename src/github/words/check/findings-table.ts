import type { ReportedFinding } from "../../../domain/effects.ts";
import { isBlocking, isUnproven } from "../../../domain/findings.ts";
import { severityCounts, severityOf } from "../review/finding-heading.ts";
import { foreignCode, foreignLine, type Wording, withFullStop } from "../wording.ts";

/** Advisory findings that get a row when nothing blocks: more cannot be read in 20 seconds. */
const MAXIMUM_ADVISORY_ROWS = 10;

/** Two columns for a phone. What does not break in the head keeps the first one as wide as an id, which would break at its hyphen. */
export const TABLE_HEAD = "| id,\u00a0severity | where, what and why |\n|---|---|";

/** Findings without a row that are named. */
const MAXIMUM_NAMED = 3;

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

/** `fresh`: whether it came with the latest push. */
export function findingRow({ finding, state }: ReportedFinding, fresh: boolean, wording: Wording): string {
  const { id, message, why } = finding;
  const mark = state === "regressed" ? ", back again" : fresh ? ", new" : "";
  const what = withFullStop(foreignLine(message, wording, { table: true, maximum: 160 }));
  const because = why === undefined ? "" : ` ${foreignLine(why, wording, { table: true, maximum: 200 })}`;
  return `| \`${id}\` ${severityOf(finding)}${mark} | ${place(finding, wording)}: ${what}${because} |`;
}

/** "3 warnings, 5 notes, as comments and annotations: `F-7K2Q` in `src/run.ts:31`, ..."; undefined when there is none. */
export function otherFindings(others: readonly ReportedFinding[], wording: Wording): string | undefined {
  if (others.length === 0) return undefined;
  const severities = (unproven: boolean) =>
    others.filter(({ finding }) => isUnproven(finding) === unproven).map(({ finding }) => finding.severity);
  const counts = [severityCounts(severities(true), "unproven "), severityCounts(severities(false))].filter(Boolean);
  const commented = others.filter(({ placement }) => placement === "comment" || placement === "file_comment").length;
  const places = [
    ...placed(commented, "a comment", "comments"),
    ...placed(others.length - commented, "an annotation", "annotations"),
  ];
  const named = others.slice(0, MAXIMUM_NAMED).map(({ finding }) => `\`${finding.id}\` in ${place(finding, wording)}`);
  const rest = others.length - named.length;
  return `${counts.join(", ")}, as ${places.join(" and ")}: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function placed(number: number, one: string, many: string): string[] {
  return number === 0 ? [] : [number === 1 ? one : many];
}

/** "`src/run.ts:31`"; the file alone of what the head does not hold: no line of the head is its line, and the message names the commit. */
function place({ file, line, commit }: ReportedFinding["finding"], wording: Wording): string {
  return foreignCode(commit === undefined ? `${file}:${line}` : file, wording, { table: true });
}
