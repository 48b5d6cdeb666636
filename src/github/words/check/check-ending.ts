import type { CheckReport } from "../../../domain/effects.ts";
import type { CheckName } from "../../../domain/phases.ts";
import { count, foreignCode, foreignLine, shortSha, unpauseLine, type Wording, withFullStop } from "../wording.ts";

type Ending = Exclude<CheckReport, { kind: "reviewed" | "tested" }>;

/** How to ask again on GitHub: the button works for everybody with write access. */
const ASK_AGAIN = "press **Re-run** on this check";

/** What a check says whose head was not reviewed, or tested, to the end (GH-12a): why, what was done, and how to go on. */
export function endingSummary(
  report: Ending,
  runId: string,
  wording: Wording,
  check: CheckName = "forge/review",
): string {
  return [
    ...(check === "forge/tests" ? ofTests(report, wording) : sentences(report, wording)),
    `Run ${foreignCode(runId, wording)}`,
  ].join("\n\n");
}

function sentences(report: Ending, wording: Wording): string[] {
  switch (report.kind) {
    case "skipped": {
      if (report.paused) {
        const reason = foreignLine(report.reason, wording);
        return [
          `**Left out: ${reason}.** Nothing was looked at. To go on: ${unpauseLine(report.paused)}; once only: \`/forge review --full\``,
        ];
      }
      const how = report.askable ? ` To have it reviewed now, ${ASK_AGAIN}, or say \`/forge review\`.` : "";
      return [`**Left out: ${foreignLine(report.reason, wording)}.** Nothing was looked at.${how}`];
    }
    case "cancelled":
      return [CANCELLED[report.reason](report.byHead)];
    case "stopped":
      return [
        `**Stopped by ${foreignCode(report.by, wording)}.** Nothing was posted; what was done is kept and not paid again. To go on: \`/forge resume\`; from the beginning: \`/forge review\``,
      ];
    case "failed": {
      const message = withFullStop(foreignLine(report.message, wording));
      const tried = `Tried ${report.attempts === 1 ? "once" : count(report.attempts, "time")}; nothing was posted`;
      return [
        `**Not reviewed:** ${message} To try again, ${ASK_AGAIN}, or say \`/forge review\`.`,
        `${tried}. Error ${foreignCode(report.code, wording)}.`,
      ];
    }
  }
}

function ofTests(report: Ending, wording: Wording): string[] {
  const again = "To run them: `/forge test`, or press **Re-run** on this check.";
  switch (report.kind) {
    case "skipped":
      return [`**Not tested: ${foreignLine(report.reason, wording)}.** ${again}`];
    case "cancelled":
      return [`**The tests were stopped**, as ${STOPPED[report.reason]}. Nothing to do.`];
    case "stopped":
      return [`**Stopped by ${foreignCode(report.by, wording)}.** ${again}`];
    case "failed":
      return [
        `**Not tested:** ${withFullStop(foreignLine(report.message, wording))} ${again}`,
        `Error ${foreignCode(report.code, wording)}.`,
      ];
  }
}

const STOPPED = {
  superseded: "the branch has a newer head",
  closed: "the pull request was closed",
  merged: "the pull request was merged",
  installation_removed: "Forge was removed from this repository",
  repository_gone: "the repository is gone",
} as const;

const CANCELLED = {
  superseded: (byHead?: string) => {
    const by = byHead === undefined ? "a newer push" : `\`${shortSha(byHead)}\``;
    return `**Superseded by ${by}**, which has its own check. Nothing to do; nothing was posted for this head.`;
  },
  closed: () => "**Stopped: the pull request was closed.** Nothing was posted. It is reviewed when it is reopened.",
  merged: () => "**Stopped: the pull request was merged** before its review ended. Nothing was posted.",
  installation_removed: () => "**Stopped: Forge was removed from this repository.** Install it again to have reviews.",
  repository_gone: () => "**Stopped: the repository is gone** or can no longer be read.",
} as const;
