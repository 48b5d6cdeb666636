import type { CheckReport } from "../../../domain/effects.ts";
import type { GateRequest } from "../../../domain/gates.ts";
import type { CheckName, Conclusion } from "../../../domain/phases.ts";
import type { Override } from "../../../domain/review-report.ts";
import type { EffectOf } from "../../effects/effect-ports.ts";
import { gateName } from "../gate/work-gate-text.ts";
import { cut, moment, overrideLine, shortSha, type Wording } from "../wording.ts";
import { endingSummary } from "./check-ending.ts";
import { checkTitle } from "./check-title.ts";
import { reviewedSummary } from "./reviewed-summary.ts";
import { testedSummary } from "./tested-summary.ts";

type Said = Pick<EffectOf<"check.complete">["payload"], "check" | "conclusion" | "report" | "overridden" | "shared">;

const MAXIMUM_TITLE = 80;

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
  if (report.kind === "reviewed") {
    return reviewedSummary(conclusion, report, { runId, wording, overridden, maximumBytes: MAXIMUM_SUMMARY_BYTES });
  }
  if (report.kind === "tested") return testedSummary(conclusion, report, { runId, wording, overridden });
  const ending = endingSummary(report, runId, wording, check);
  return overridden ? `${overrideLine(overridden, wording)}\n\n${ending}` : ending;
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
    summary: `The review of \`${shortSha(headSha)}\` waits for ${what}: ${answers}, ${until}. What is asked stands in the conversation.`,
  };
}
