import type { CheckReport, Override } from "../../domain/effects.ts";
import { isBlocking, SEVERITIES } from "../../domain/findings.ts";
import type { Conclusion } from "../../domain/phases.ts";
import { missingPart } from "./missing-part.ts";
import { unpauseLine } from "./unpause-line.ts";
import { count, cut, foreignPlain, shortSha, type Wording } from "./wording.ts";

type Reviewed = Extract<CheckReport, { kind: "reviewed" }>;

const MAXIMUM = 80;

/** The line that stands in the list of checks: plain text, at most 80 characters. */
export function checkTitle(
  conclusion: Conclusion,
  report: CheckReport,
  wording: Wording,
  overridden?: Override,
): string {
  if (overridden) return overriddenTitle(report, overridden, wording);
  switch (report.kind) {
    case "reviewed":
      return cut(reviewedTitle(conclusion, report, wording), MAXIMUM);
    case "skipped": {
      const title = foreignPlain(`Left out: ${report.reason}`, wording, MAXIMUM);
      const offer = report.paused
        ? `${title} (${unpauseLine(report.paused)} goes on)`
        : `${title} (say \`/forge review\` to have it reviewed now)`;
      return wording.commands.includes("review") && offer.length <= MAXIMUM ? offer : title;
    }
    case "cancelled":
      return CANCELLED[report.reason](report.byHead);
    case "failed":
      return foreignPlain(`Not reviewed: ${report.message}`, wording, MAXIMUM);
  }
}

const CANCELLED = {
  superseded: (byHead?: string) => (byHead ? `Superseded by \`${shortSha(byHead)}\`` : "Superseded by a newer push"),
  closed: () => "Stopped: the pull request was closed",
  merged: () => "Stopped: the pull request was merged",
  installation_removed: () => "Stopped: Forge was removed from this repository",
  repository_gone: () => "Stopped: the repository is gone",
} as const;

function overriddenTitle(report: CheckReport, { by }: Override, wording: Wording): string {
  const what =
    report.kind === "reviewed" ? (report.blocking > 0 ? blockingTitle(report) : "not fully reviewed") : "not reviewed";
  return foreignPlain(`Overridden by \`${by}\`: ${what}`, wording, MAXIMUM);
}

function reviewedTitle(conclusion: Conclusion, report: Reviewed, wording: Wording): string {
  const { open, blocking, coverage, decision } = report;
  if (conclusion === "failure" && blocking > 0) return blockingTitle(report);
  const missing = missingPart(coverage);
  if (conclusion === "action_required" || conclusion === "failure") {
    if (missing) return foreignPlain(`Not fully reviewed: ${missing}`, wording, MAXIMUM);
    if (decision === "require_human") return "Waiting for a maintainer: critical security finding";
    return blockingTitle(report);
  }
  const advisory = open.critical + open.error + open.warning - blocking;
  if (conclusion === "neutral") return `${count(advisory, "advisory finding")}, nothing blocking`;
  return `Clean: ${count(coverage.filesCovered, "file")}, ${count(coverage.addedLinesCovered, "added line")}`;
}

/** "3 blocking findings: 1 critical, 2 errors". */
function blockingTitle({ blocking, findings }: Reviewed): string {
  const severities = findings.filter(({ finding }) => isBlocking(finding)).map(({ finding }) => finding.severity);
  const parts = SEVERITIES.toReversed().flatMap((severity) => {
    const number = severities.filter((other) => other === severity).length;
    if (number === 0) return [];
    return [severity === "critical" || severity === "info" ? `${number} ${severity}` : count(number, severity)];
  });
  return `${count(blocking, "blocking finding")}: ${parts.join(", ")}`;
}
