import type { Activity } from "../../../domain/activity.ts";
import type { CheckReport } from "../../../domain/effects.ts";
import type { GateRequest } from "../../../domain/gates.ts";
import type { CheckName, Conclusion } from "../../../domain/phases.ts";
import type { Override } from "../../../domain/review-report.ts";
import { plainLine } from "../../../safety/plain-line.ts";
import type { EffectOf } from "../../effects/effect-ports.ts";
import { gateName } from "../gate/work-gate-text.ts";
import {
  count,
  cut,
  foreignCode,
  foreignLine,
  foreignPlain,
  moment,
  overrideLine,
  shortSha,
  unpauseLine,
  type Wording,
  withFullStop,
} from "../wording.ts";
import { activityWords } from "../work/activity-words.ts";
import { checkTitle } from "./check-title.ts";
import { reviewedSummary } from "./reviewed-summary.ts";
import { testedSummary } from "./tested-summary.ts";

type Said = Pick<EffectOf<"check.complete">["payload"], "check" | "conclusion" | "report" | "overridden" | "shared">;

const MAXIMUM_TITLE = 80;
/** Of a model or a file in a title. */
const MAXIMUM_NAME = 40;

/** What a completed check says. Where another pull request with the same head has the worse verdict, it says that one's (GH-8d). */
export function checkText(said: Said, runId: string, wording: Wording): { title: string; summary: string } {
  const { check, conclusion, shared } = said;
  const { report, overridden } = shared ?? said;
  const title = checkTitle(conclusion, report, wording, overridden, check);
  const summary = checkSummary(conclusion, report, runId, wording, overridden, check);
  if (!shared) return { title, summary };
  const why = `**Shared with #${shared.number}**, which has this very head: there is one check for both, and the worse verdict counts. This is #${shared.number}'s.\n\n`;
  const fits = Buffer.byteLength(why) + Buffer.byteLength(summary) <= MAXIMUM_SUMMARY_BYTES;
  return {
    title: cut(`#${shared.number}, same head: ${title}`, MAXIMUM_TITLE),
    summary: fits ? why + summary : summary,
  };
}

/** GitHub's limit is 65,535 characters; counting bytes is safe however it counts. */
const MAXIMUM_SUMMARY_BYTES = 65_535;

/** What a person reads first (GH-11): what is so, what to do, and what it rests on. Markdown within GitHub's limit. */
export function checkSummary(
  conclusion: Conclusion,
  report: CheckReport,
  runId: string,
  wording: Wording,
  overridden?: Override,
  check: CheckName = "forge/review",
): string {
  switch (report.kind) {
    case "reviewed":
      return reviewedSummary(conclusion, report, { runId, wording, overridden, maximumBytes: MAXIMUM_SUMMARY_BYTES });
    case "tested":
      return testedSummary(conclusion, report, { runId, wording, overridden });
    case "skipped":
    case "cancelled":
    case "stopped":
    case "failed": {
      const ending = endingSummary(report, runId, wording, check);
      return overridden ? `${overrideLine(overridden, wording)}\n\n${ending}` : ending;
    }
  }
}

/** What a check says before the work on its head begins. */
export function queuedOutput(headSha: string, check: CheckName): { title: string; summary: string } {
  if (check === "forge/tests") {
    return {
      title: "Queued",
      summary: `The tests of \`${shortSha(headSha)}\` are run in a moment. Nothing to do.`,
    };
  }
  return { title: "Queued", summary: `The review of \`${shortSha(headSha)}\` begins in a moment. Nothing to do.` };
}

/** What a check says while its head is looked at. */
export function startedOutput(headSha: string, check: CheckName): { title: string; summary: string } {
  if (check === "forge/tests") {
    return {
      title: "Testing",
      summary: `The tests that the change at \`${shortSha(headSha)}\` affects are run. Nothing to do.`,
    };
  }
  return { title: "Reviewing", summary: `\`${shortSha(headSha)}\` is being reviewed. Nothing to do.` };
}

/** What a check says while its review, or its tests, go on: the words of the status comment and the page. */
export function progressOutput(
  { headSha, check, activity }: { readonly headSha: string; readonly check: CheckName; readonly activity: Activity },
  wording: Wording,
): { title: string; summary: string } {
  const { summary } = startedOutput(headSha, check);
  const plain = activityWords(activity, (name) =>
    plainLine(foreignPlain(name, wording, 4 * MAXIMUM_NAME), MAXIMUM_NAME),
  );
  const words = activityWords(activity, (name) => foreignCode(name, wording));
  return {
    title: cut(`${check === "forge/tests" ? "Testing" : "Reviewing"}: ${plain}`, MAXIMUM_TITLE),
    summary: `${summary}\n\nNow: ${words}.`,
  };
}

/** What a check says while the model's provider wants to be left alone. */
export function parkedOutput(headSha: string, until: string): { title: string; summary: string } {
  const summary = `The review of \`${shortSha(headSha)}\` goes on at ${moment(until)}: the model's provider limits requests until then. Nothing to do.`;
  return { title: `Waiting for the model until ${moment(until)}`, summary };
}

/** What a check says while a person is waited for. */
export function waitingOutput({ gate, question, headSha, deadline }: GateRequest): { title: string; summary: string } {
  const what = gateName(question);
  const answers = `\`/forge approve ${gate}\` or \`/forge reject ${gate}\``;
  const until = `until ${moment(deadline)}; then the review goes on without it`;
  return {
    title: `Waiting for ${what} (${gate})`,
    summary: `The review of \`${shortSha(headSha)}\` waits for ${what}: ${answers}, ${until}. The question is in the conversation.`,
  };
}

type Ending = Exclude<CheckReport, { kind: "reviewed" | "tested" }>;

/** How to ask again on GitHub: the button works for everybody with write access. */
const ASK_AGAIN = "press **Re-run** on this check";

/** What a check says whose head was not reviewed, or tested, to the end (GH-12a): why, what was done, and how to go on. */
function endingSummary(report: Ending, runId: string, wording: Wording, check: CheckName = "forge/review"): string {
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
