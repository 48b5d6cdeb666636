import { remedyOf, titleOf } from "../../../analysis/rule-facts.ts";
import type { CheckReport, ReportedFinding } from "../../../domain/effects.ts";
import { isBlocking, isUnproven, needsLook } from "../../../domain/findings.ts";
import type { Conclusion } from "../../../domain/phases.ts";
import type { Approval, Override, ReviewCoverage } from "../../../domain/review-report.ts";
import { ownLevel } from "../../../domain/risk.ts";
import { hiddenLines } from "../command/hiding-text.ts";
import { modelCostText } from "../command/model-answers.ts";
import { severityCounts, severityOf } from "../review/finding-heading.ts";
import {
  count,
  duration,
  foreignCode,
  foreignLine,
  overrideLine,
  placeLink,
  type Wording,
  withFullStop,
} from "../wording.ts";
import { needsLookTitle } from "./check-title.ts";
import { layerProblems, lookedAt, missingPart, notAnalysed, nothingRead } from "./coverage.ts";
import { packageLookups } from "./package-lookups.ts";
import { carriedLines, queuedLines, riskLines } from "./summary-lines.ts";

type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

export interface SummaryOptions {
  readonly runId: string;
  readonly wording: Wording;
  readonly maximumBytes: number;
  readonly overridden?: Override | undefined;
}

/** Placements in the report are those after the comments were posted. */
export function reviewedSummary(conclusion: Conclusion, report: Reviewed, options: SummaryOptions): string {
  const { wording, overridden } = options;
  const { rows, others } = listFindings(report.findings);
  const also = otherFindings(others, wording);
  const before = overridden
    ? [`${overrideLine(overridden, wording)} What is open stays open.`]
    : headline(conclusion, report, wording);
  const isClean = conclusion === "success" && !overridden && nothingRead(report.coverage) === undefined;
  const looked = `${isClean ? "**Clean.** Looked at" : "**Looked at**"} ${lookedAt(report.coverage, wording)}`;
  const dismissed = [...dismissedFindings(report, wording), ...hiddenLines(report)];
  const after = [
    ...(also ? [`${report.blocking > 0 ? "Advisory" : "Also"}: ${also}.`] : []),
    ...(report.beyondLimit > 0
      ? [`${count(report.beyondLimit, "finding")} beyond the limit of one run are not listed.`]
      : []),
    ...(isClean ? [looked, ...dismissed] : [...dismissed, looked]),
    ...carriedLines(report),
    ...queuedLines(report),
    ...layerProblems(report.coverage, before.join(""), wording),
    ...(report.risk ? riskLines(report.risk, wording, report.approval) : []),
    ...(report.coverage.packages ? [`**Known vulnerabilities**: ${packageLookups(report.coverage.packages)}`] : []),
    ...report.coverage.notes.map((note) => `Note: ${foreignLine(note, wording)}`),
    ...(report.again ? [sinceLastReview(report)] : []),
    ...(report.lastRound ? [LAST_ROUND] : []),
    lastLine(report, options),
  ];
  const fresh = new Set(report.again ? report.changes?.fresh : []);
  const tableRows = rows.map((row) => findingRow(row, fresh.has(row.finding.id), wording));
  return withTable(before, tableRows, after, options.maximumBytes);
}

/** What is so, and what to do; a clean review needs neither. */
function headline(conclusion: Conclusion, report: Reviewed, wording: Wording): string[] {
  const { blocking, open, coverage, decision } = report;
  if (blocking > 0) {
    const what = blocking === 1 ? "1 blocking finding is open" : `${blocking} blocking findings are open`;
    return [`**Changes requested: ${what}.** ${whatToDo(report)}, or \`/forge dismiss <id> <reason>\`.`];
  }
  const missing = missingPart(coverage);
  if (missing && (conclusion === "action_required" || conclusion === "failure")) {
    return [`**Not fully reviewed:** ${foreignLine(missing, wording)}. ${howToGoOn(coverage)}`];
  }
  const { approval } = report;
  if (conclusion === "action_required" && approval && approval.is !== "approved")
    return [approvalLine(report, approval, wording)];
  if (conclusion === "action_required" && decision === "require_human") {
    return ["**Waiting for a maintainer:** a critical security finding is open."];
  }
  const doubtful = report.findings.filter(({ finding }) => needsLook(finding));
  if (doubtful.length > 0) return [needsLookLine(doubtful, wording)];
  const advisory = open.critical + open.error + open.warning;
  if (advisory > 0)
    return [`**${count(advisory, "advisory finding")}, nothing blocking.** Fix what helps; merging is not held up.`];
  const nothing = conclusion === "success" || conclusion === "neutral" ? nothingRead(coverage) : undefined;
  const left = nothing === undefined && conclusion === "neutral" ? notAnalysed(coverage) : undefined;
  if (left !== undefined)
    return [
      `**Nothing found; not analyzed: ${foreignLine(left, wording)}.** No analyzer reads it, so review it yourself.`,
    ];
  if (nothing === undefined) return [];
  return [`**${foreignLine(nothing, wording)}.**${conclusion === "neutral" ? " Look at it yourself." : ""}`];
}

/** Nothing has shown it, and nothing has refuted it: the first one says why. */
function needsLookLine([first, ...others]: readonly ReportedFinding[], wording: Wording): string {
  const title = needsLookTitle(1 + others.length);
  const why = first?.finding.unproven;
  const said =
    why === undefined
      ? ""
      : ` \`${first?.finding.id}\` is unproven: ${withFullStop(foreignLine(why, wording, { maximum: 200 }))}`;
  return `**${title}.** It does not block; read it before you merge.${said}`;
}

/** What a high risk waits for where the repository wants a person's word (REV-2). */
function approvalLine(
  { risk }: Reviewed,
  { is, by = "", architects, unreadTeams }: Approval,
  wording: Wording,
): string {
  const level = risk ? ownLevel(risk) : "high";
  const pass = "to let it pass without: `/forge override forge/review <reason>`";
  if (is === "rejected") {
    const who = foreignCode(by, wording);
    return `**${who} asks for changes, and the risk is ${level}.** It waits until ${who} approves this head, or the review is dismissed; ${pass}`;
  }
  if (architects === undefined)
    return `**Waiting for an approving review: the risk is ${level}.** Someone with push permission who did not write it must approve this head on GitHub; ${pass}`;
  const names = architects.map((name) => foreignCode(name, wording)).join(", ");
  const who = architects.length === 0 ? "Someone with maintain permission" : `An architect (${names})`;
  const so = by === "" ? "" : `${foreignCode(by, wording)} has approved; that is not enough at this risk. `;
  const unread = (unreadTeams ?? []).map((name) => foreignCode(name, wording)).join(", ");
  const teams =
    unread === "" ? "" : `. Forge cannot see who is in ${unread}: the App lacks the permission \`members: read\``;
  return `**Waiting for ${architects.length === 0 ? "a maintainer's" : "an architect's"} approving review: the risk is ${level}.** ${so}${who} who did not write it must approve this head on GitHub; ${pass}${teams}`;
}

/** At a limit it would only end there again. */
function howToGoOn({ layers }: ReviewCoverage): string {
  const limit = layers.find((layer) => layer.limit !== undefined)?.limit;
  if (limit)
    return `To have it go on from there: \`/forge extend ${limit.name} ${limit.amount}\`. Or look at what was left out yourself.`;
  return "Look at what was left out yourself, or press **Re-run** on this check.";
}

/** A secret is worthless only once it is rotated; a fix alone hides it. */
function whatToDo({ findings }: Reviewed): string {
  const secrets = findings.filter(({ finding }) => finding.secret).length;
  if (secrets === 0) return "Fix and push";
  return `Rotate the ${secrets === 1 ? "key" : "keys"} first, then fix and push`;
}

/** Dismissals that are named one by one; the others are counted. */
const MAXIMUM_DISMISSED = 5;

/** What is not counted because people said so: everybody sees who, and why. */
function dismissedFindings({ dismissed = [] }: Reviewed, wording: Wording): string[] {
  if (dismissed.length === 0) return [];
  const named = dismissed.slice(0, MAXIMUM_DISMISSED).map(({ findingId, by, reason }) => {
    const why = reason === "" ? "" : ` (${foreignLine(reason, wording, { maximum: 100 })})`;
    return `\`${findingId}\` by ${foreignCode(by, wording)}${why}`;
  });
  const rest = dismissed.length - named.length;
  return [`**Dismissed**: ${[...named, ...(rest > 0 ? [`${count(rest, "more finding")}`] : [])].join(", ")}.`];
}

/** GH-3b, said once. */
const LAST_ROUND =
  "There were enough reviews with comments here: from now on, new findings are in this check only; `/forge review` brings comments again.";

function lastLine({ cost, durationMs, coverage }: Reviewed, { runId, wording }: SummaryOptions): string {
  const ai = coverage.layers.find(({ layer }) => layer === "ai");
  const unused = ai?.reason === undefined ? "No model configured" : `No model used: ${foreignLine(ai.reason, wording)}`;
  const paid = cost && cost.calls > 0 ? modelCostText(cost, wording) : unused;
  return `${paid} · ${duration(durationMs)} · run ${foreignCode(runId, wording)}`;
}

/** The table is the longest part, so it is what is cut when the whole is too long; the text says so. */
function withTable(
  before: readonly string[],
  rows: readonly string[],
  after: readonly string[],
  maximumBytes: number,
): string {
  const bytes = (text: string) => Buffer.byteLength(text);
  const paragraphs = (shown: readonly string[]) => {
    const table = shown.length > 0 ? [[TABLE_HEAD, ...shown].join("\n")] : [];
    const hidden = rows.length - shown.length;
    const rest =
      hidden > 0 ? [`${count(hidden, "more finding")} did not fit here: see the annotations of this check.`] : [];
    return [...before, ...table, ...rest, ...after].join("\n\n");
  };
  const whole = paragraphs(rows);
  if (bytes(whole) <= maximumBytes) return whole;
  let room = maximumBytes - bytes(paragraphs([])) - bytes(`${TABLE_HEAD}\n\n`);
  const shown: string[] = [];
  for (const row of rows) {
    room -= bytes(row) + 1;
    if (room < 0) break;
    shown.push(row);
  }
  return paragraphs(shown);
}

/** Ids that are named one by one; the others are counted. */
const MAXIMUM_NAMED = 6;

/** "**Since the last review**: 2 fixed, 1 new. Fixed: `F-7K2Q`, `F-9M4D`. New: `F-SWKE`." */
function sinceLastReview({ fixed, fresh, back, changes }: Reviewed): string {
  const parts = [
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(back > 0 ? [`${back} back again`] : []),
  ];
  if (parts.length === 0) return "**Since the last review**: nothing new, nothing fixed.";
  const named = changes
    ? [...names("Fixed", changes.fixed), ...names("New", changes.fresh), ...names("Back again", changes.back)]
    : [];
  return [`**Since the last review**: ${parts.join(", ")}.`, ...named].join(" ");
}

function names(what: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const rest = ids.length - MAXIMUM_NAMED;
  const shown = ids.slice(0, MAXIMUM_NAMED).map((id) => `\`${id}\``);
  return [`${what}: ${shown.join(", ")}${rest > 0 ? ` and ${count(rest, "more finding")}` : ""}.`];
}

/** Advisory findings that get a row when nothing blocks: more cannot be read in 20 seconds. */
const MAXIMUM_ADVISORY_ROWS = 10;

/** Two columns for a phone. What does not break in the head keeps the first one as wide as an id, which would break at its hyphen. */
const TABLE_HEAD = "| id,\u00a0severity | where, what and why |\n|---|---|";

/** Findings without a row that are named. */
const MAXIMUM_UNLISTED = 3;

interface ListedFindings {
  /** Most important first. */
  readonly rows: readonly ReportedFinding[];
  readonly others: readonly ReportedFinding[];
}

/** Which findings get a row: all that block, all that can be seen nowhere else, and, when nothing blocks, the first advisory ones. */
function listFindings(findings: readonly ReportedFinding[]): ListedFindings {
  const nothingBlocks = !findings.some(({ finding }) => isBlocking(finding));
  const advisory = findings.filter(({ finding }) => finding.severity !== "info").slice(0, MAXIMUM_ADVISORY_ROWS);
  const shown = new Set(nothingBlocks ? advisory : []);
  const isRow = (reported: ReportedFinding) =>
    isBlocking(reported.finding) || reported.placement === "summary" || shown.has(reported);
  return { rows: findings.filter(isRow), others: findings.filter((reported) => !isRow(reported)) };
}

/** `fresh`: whether it came with the latest push. */
export function findingRow({ finding, state }: ReportedFinding, fresh: boolean, wording: Wording): string {
  const { id, message, why, probe } = finding;
  const mark = `${state === "regressed" ? ", back again" : fresh ? ", new" : ""}${probe === undefined ? "" : `, probe of ${probe}`}`;
  const title = titleOf(finding.rule);
  const what = `${title === undefined ? "" : `**${foreignLine(title, wording, { table: true })}**. `}${withFullStop(foreignLine(message, wording, { table: true, maximum: 160 }))}`;
  // A secret has to be rotated besides what a push can do.
  const said = [why ?? "", (finding.secret && remedyOf(finding)) || ""].filter(Boolean).join(" ");
  const because = said === "" ? "" : ` ${foreignLine(said, wording, { table: true, maximum: 200 })}`;
  return `| \`${id}\` ${severityOf(finding)}${mark} | ${place(finding, wording)}: ${what}${because} |`;
}

/** "3 warnings, 5 notes, as comments and annotations: `F-7K2Q` in `src/run.ts:31`, ..."; undefined without any. */
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
  const named = others
    .slice(0, MAXIMUM_UNLISTED)
    .map(({ finding }) => `\`${finding.id}\` in ${place(finding, wording)}`);
  const rest = others.length - named.length;
  return `${counts.join(", ")}, as ${places.join(" and ")}: ${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function placed(number: number, one: string, many: string): string[] {
  return number === 0 ? [] : [number === 1 ? one : many];
}

/** "`src/run.ts:31`"; the file alone of what the head does not hold: no line of the head is its line, and the message names the commit. */
function place({ file, line, commit }: ReportedFinding["finding"], wording: Wording): string {
  return placeLink(file, commit === undefined ? line : undefined, wording, { table: true });
}
