import type { CheckReport } from "../../../domain/effects.ts";
import { type Finding, isBlocking, needsLook } from "../../../domain/findings.ts";
import type { CheckName, Conclusion } from "../../../domain/phases.ts";
import type { Approval, Override } from "../../../domain/review-report.ts";
import { ownLevel } from "../../../domain/risk.ts";
import { ruleInWords, severityCounts } from "../review/finding-heading.ts";
import { count, cut, foreignPlain, shortSha, unpauseLine, type Wording } from "../wording.ts";
import { missingPart, notAnalysed, nothingRead } from "./coverage.ts";
import { queuedTitle } from "./summary-lines.ts";
import { testedTitle } from "./tested-facts.ts";

type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

const MAXIMUM = 80;

const OFFER = " (say `/forge review` to have it reviewed now)";

/** The line in the list of checks: plain text, at most 80 characters. */
export function checkTitle(
  conclusion: Conclusion,
  report: CheckReport,
  wording: Wording,
  overridden?: Override,
  check: CheckName = "forge/review",
): string {
  if (overridden) return overriddenTitle(report, overridden, wording, check);
  switch (report.kind) {
    case "reviewed":
      return cut(reviewedTitle(conclusion, report, wording), MAXIMUM);
    case "tested":
      return testedTitle(report, wording, MAXIMUM);
    case "skipped": {
      const title = foreignPlain(`Left out: ${report.reason}`, wording, MAXIMUM);
      const offer = report.paused ? ` (${unpauseLine(report.paused)} goes on)` : report.askable ? OFFER : "";
      return title.length + offer.length <= MAXIMUM ? `${title}${offer}` : title;
    }
    case "cancelled":
      return CANCELLED[report.reason](report.byHead);
    case "stopped":
      return foreignPlain(`Stopped by \`${report.by}\` (\`/forge resume\` goes on)`, wording, MAXIMUM);
    case "failed":
      return foreignPlain(
        `${check === "forge/tests" ? "Not tested" : "Not reviewed"}: ${report.message}`,
        wording,
        MAXIMUM,
      );
  }
}

const CANCELLED = {
  superseded: (byHead?: string) => (byHead ? `Superseded by \`${shortSha(byHead)}\`` : "Superseded by a newer push"),
  closed: () => "Stopped: the pull request was closed",
  merged: () => "Stopped: the pull request was merged",
  installation_removed: () => "Stopped: Forge was removed from this repository",
  repository_gone: () => "Stopped: the repository is gone",
} as const;

function overriddenTitle(report: CheckReport, { by }: Override, wording: Wording, check: CheckName): string {
  if (report.kind === "tested") {
    const what = testedTitle(report, wording, MAXIMUM);
    return foreignPlain(`Overridden by \`${by}\`: ${what.slice(0, 1).toLowerCase()}${what.slice(1)}`, wording, MAXIMUM);
  }
  if (check === "forge/tests") return foreignPlain(`Overridden by \`${by}\`: not tested`, wording, MAXIMUM);
  const open = report.kind === "reviewed" ? "not fully reviewed" : "not reviewed";
  const what = report.kind === "reviewed" && report.blocking > 0 ? `${blockingCount(report)} open` : open;
  return foreignPlain(`Overridden by \`${by}\`: ${what}`, wording, MAXIMUM);
}

function reviewedTitle(conclusion: Conclusion, report: Reviewed, wording: Wording): string {
  const { open, blocking, coverage, decision } = report;
  const queued = queuedTitle(conclusion, report);
  if (queued !== undefined) return queued;
  if (conclusion === "failure" && blocking > 0) return blockingTitle(report, wording, MAXIMUM);
  const missing = missingPart(coverage);
  if (conclusion === "action_required" || conclusion === "failure") {
    if (missing) return foreignPlain(`Not fully reviewed: ${missing}`, wording, MAXIMUM);
    if (report.approval && report.approval.is !== "approved") return approvalTitle(report, report.approval, wording);
    if (decision === "require_human") return "Waiting for a maintainer: critical security finding";
    return blockingTitle(report, wording, MAXIMUM);
  }
  const doubtful = report.findings.filter(({ finding }) => needsLook(finding)).length;
  if (doubtful > 0) return needsLookTitle(doubtful);
  const advisory = open.critical + open.error + open.warning - blocking;
  const nothing = advisory === 0 ? nothingRead(coverage) : undefined;
  if (nothing !== undefined) return foreignPlain(nothing, wording, MAXIMUM);
  const left = conclusion === "neutral" ? notAnalysed(coverage) : undefined;
  if (left !== undefined && advisory === 0)
    return foreignPlain(`Nothing found; not analyzed: ${left}`, wording, MAXIMUM);
  if (left !== undefined)
    return foreignPlain(`${count(advisory, "advisory finding")}; not analyzed: ${left}`, wording, MAXIMUM);
  if (conclusion === "neutral") return `${count(advisory, "advisory finding")}, nothing blocking`;
  return `Clean: ${count(coverage.filesCovered, "file")}, ${count(coverage.addedLinesCovered, "added line")}`;
}

/** "Needs a look: 1 unproven critical finding". */
export function needsLookTitle(number: number): string {
  return `Needs a look: ${count(number, "unproven critical finding")}`;
}

function approvalTitle({ risk }: Reviewed, { is, by = "", architects }: Approval, wording: Wording): string {
  const level = risk ? ownLevel(risk) : "high";
  if (is === "rejected") return foreignPlain(`\`${by}\` asks for changes, and the risk is ${level}`, wording, MAXIMUM);
  const whose = architects === undefined ? "an" : architects.length === 0 ? "a maintainer's" : "an architect's";
  return `Waiting for ${whose} approving review: ${level} risk`;
}

const NOUNS = {
  critical: (number: number) => count(number, "critical finding"),
  error: (number: number) => count(number, "blocking error"),
  warning: (number: number) => count(number, "blocking warning"),
  info: (number: number) => count(number, "blocking note"),
} as const;

/**
 * "1 blocking error: self compare in src/orders.ts", "2 blocking errors: self compare, const assign", "3 blocking findings: 1 critical,
 * 2 errors". Plain text; more than `maximum` characters are not used.
 */
function blockingTitle(report: Reviewed, wording: Wording, maximum: number): string {
  const blocking = blockingOf(report);
  const number = blockingCount(report);
  const [first] = blocking;
  if (!first || isMixed(blocking)) return `${number}: ${severityCounts(blocking.map(({ severity }) => severity))}`;
  const shown =
    blocking.length === 1 ? single(first, wording) : [rules(blocking, wording, maximum - number.length - 2)];
  const fitting = shown.map((words) => `${number}: ${words}`).find((title) => title.length <= maximum);
  return fitting === undefined || fitting === `${number}: ` ? number : fitting;
}

/** "1 blocking error", "3 blocking findings". */
function blockingCount(report: Reviewed): string {
  const blocking = blockingOf(report);
  const [first] = blocking;
  // What is beyond the limit of one run is counted and not listed.
  if (!first || isMixed(blocking) || blocking.length !== report.blocking)
    return count(report.blocking, "blocking finding");
  return NOUNS[first.severity](report.blocking);
}

function blockingOf({ findings }: Reviewed): Finding[] {
  return findings.map(({ finding }) => finding).filter(isBlocking);
}

function isMixed(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity !== findings[0]?.severity);
}

/** What to say of one finding, the best first: the name of a file has to do where its path is too long. */
function single({ rule, file }: Finding, wording: Wording): string[] {
  const what = plain(ruleInWords(rule) ?? "", wording);
  const where = [file, file.split("/").at(-1) ?? file].map((path) => `in ${plain(path, wording)}`);
  return [...where.map((place) => (what === "" ? place : `${what} ${place}`)), what];
}

/** As many different rules as there is room for. */
function rules(findings: readonly Finding[], wording: Wording, room: number): string {
  const all = [...new Set(findings.flatMap(({ rule }) => ruleInWords(rule) ?? []))].map((words) =>
    plain(words, wording),
  );
  const shown = all.filter((_, at) => all.slice(0, at + 1).join(", ").length + (at + 1 < all.length ? 3 : 0) <= room);
  return shown.join(", ") + (shown.length > 0 && shown.length < all.length ? ", …" : "");
}

function plain(text: string, wording: Wording): string {
  return foreignPlain(text, wording, 200);
}
