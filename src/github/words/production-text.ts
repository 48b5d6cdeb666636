import type { FeedbackStanding, ProductionFault, ReleasedFix, Suspicion } from "../../domain/production-feedback.ts";
import { fence } from "../../safety/code-text.ts";
import { IMPLEMENT_LABEL } from "../create-labels.ts";
import {
  count,
  cut,
  foreignCode,
  foreignLine,
  foreignPlain,
  moment,
  shortSha,
  type Wording,
  withFullStop,
} from "./wording.ts";

/** The title of the issue about something that production told of. */
export function productionTitle({ feedback, environment, more }: FeedbackStanding, wording: Wording): string {
  if (more !== undefined) return `More errors and alerts in ${environment} than have issues of their own`;
  const what = feedback.is === "error" ? [feedback.type, feedback.message].filter(Boolean).join(": ") : feedback.name;
  return cut(`In ${environment}: ${foreignPlain(what.replace(/\s+/g, " "), wording, 160)}`, 200);
}

/** The issue about something that production told of: the first line says what is so, the second what to do (PROD-1). */
export function productionText(standing: FeedbackStanding, wording: Wording): string {
  const { feedback, environment, times, firstAt, lastAt, resolved, more, fixed, backAfter } = standing;
  const often = `Forge received it ${count(times, "time")}, first at ${moment(firstAt)}, last at ${moment(lastAt)}.`;
  if (more !== undefined) {
    return [
      `**Others told in ${environment} within a day, without issues of their own: ${more}.** The sources have them all.`,
      "One cause has often many faces: look at the issues before this one first, and at what was deployed last.",
    ].join("\n\n");
  }
  const state = fixed ? "is fixed" : resolved ? "is over, as its source says" : "goes on";
  const name = feedback.is === "error" ? foreignCode(feedback.type, wording) : foreignCode(feedback.name, wording);
  return [
    `**${feedback.is === "error" ? "The error" : "The alert"} ${name} in ${environment} ${state}.** ${often}`,
    ...(backAfter ? [`It is back after #${backAfter.pull}, which had fixed it (\`${shortSha(backAfter.sha)}\`).`] : []),
    ...(fixed ? [fixedText(fixed, environment)] : []),
    ...(resolved ? [] : [START]),
    ...(standing.suspicion ? [suspicionText(standing.suspicion, wording)] : []),
    ...facts(standing, wording),
  ].join("\n\n");
}

const START = `Add the label \`${IMPLEMENT_LABEL}\`, or comment \`/forge implement\`: Forge then looks for the cause and fixes it, starting from this issue.`;

/** Why Forge closed the issue, and what opens it again. */
function fixedText({ pull, sha, at, quietMinutes }: ReleasedFix, environment: string): string {
  const quiet = `no message about it came for ${count(quietMinutes, "minute")} or more`;
  return `#${pull} fixed it: \`${shortSha(sha)}\` runs in ${environment} since ${moment(at)}, and ${quiet}. If it comes back, Forge opens this issue again.`;
}

/** What production showed of the work of a run, in its status comment. */
export function faultText({ is, environment, what, sha, pull, file, line }: ProductionFault, wording: Wording): string {
  const version = `\`${shortSha(sha)}\``;
  if (is === "rollback")
    return `**Rolled back in ${environment}**: ${version}, which brought #${pull}: ${withFullStop(foreignLine(what, wording))}`;
  const place = file ? `, on ${foreignCode(file, wording)}${line ? ` line ${line}` : ""} that #${pull} changed` : "";
  return `**Caused an error in ${environment}**: ${foreignCode(what, wording)}, seen first with ${version}${place}.`;
}

/** A cause only by both conditions; by one it is said as a suspicion. */
function suspicionText({ is, why, sha, commit, file, line, runId, pull }: Suspicion, wording: Wording): string {
  const version = `\`${shortSha(sha)}\``;
  const place = file ? `${foreignCode(file, wording)}${line ? ` line ${line}` : ""}` : "a line of the stack";
  const by = commit ? ` (\`${shortSha(commit)}\`)` : "";
  const brought = pull === undefined ? "" : ` #${pull} brought it.`;
  const run = `${brought}${runId ? ` Run \`${runId}\` deployed it.` : ""}`;
  if (is === "caused")
    return `**Caused by the deployment of ${version}**: it was seen first after that, and ${place} was changed by it${by}.${run}`;
  if (why === "after")
    return `**Suspected: the deployment of ${version}.** It was seen first after that; whether its lines have to do with it is not known.${run}`;
  return `**Suspected: the deployment of ${version}.** It changed ${place}${by}; whether the error was there before is not known.${run}`;
}

function facts({ feedback }: FeedbackStanding, wording: Wording): string[] {
  const lines: string[] = [];
  if (feedback.is === "error") {
    if (feedback.message) lines.push(`- says ${foreignCode(feedback.message, wording)}`);
    if (feedback.release) lines.push(`- in version ${foreignCode(feedback.release, wording)}`);
    if (feedback.count !== undefined)
      lines.push(
        `- ${count(feedback.count, "event")}${feedback.users === undefined ? "" : `, ${count(feedback.users, "user")}`}, as its source counts`,
      );
    if (feedback.firstSeen) lines.push(`- seen first at ${moment(feedback.firstSeen)}`);
  } else {
    if (feedback.summary) lines.push(`- ${foreignLine(feedback.summary, wording, { maximum: 500 })}`);
    if (feedback.metric) {
      const numbers = [feedback.current, feedback.baseline === undefined ? undefined : `usually ${feedback.baseline}`];
      lines.push(
        `- ${foreignCode(feedback.metric, wording)}: ${numbers.filter((one) => one !== undefined).join(", ")}`,
      );
    }
    if (feedback.startsAt) lines.push(`- began at ${moment(feedback.startsAt)}`);
    const labels = Object.entries(feedback.labels).map(([name, value]) => foreignCode(`${name}=${value}`, wording));
    if (labels.length > 0) lines.push(`- ${labels.join(" ")}`);
  }
  if (feedback.url) lines.push(`- where its source shows it: ${foreignCode(feedback.url, wording)}`);
  const stack = feedback.is === "error" && feedback.frames.length > 0 ? [stackText(feedback.frames, wording)] : [];
  return [lines.join("\n"), ...stack].filter((part) => part !== "");
}

function stackText(frames: Extract<FeedbackStanding["feedback"], { is: "error" }>["frames"], wording: Wording): string {
  const lines = frames.slice(0, 30).map(({ function: name = "?", file, line, inApp }) => {
    return foreignPlain(
      `${inApp ? "" : "(library) "}${name}${file ? ` at ${file}${line ? `:${line}` : ""}` : ""}`.replace(/\s+/g, " "),
      wording,
      300,
    );
  });
  return `<details><summary>stack, innermost first</summary>\n\n${fence(lines.join("\n"))}\n\n</details>`;
}
