import type { StatusFacts } from "../../../domain/answers.ts";
import { SEVERITIES, type Severity } from "../../../domain/findings.ts";
import { unpauseLine } from "../people-lines.ts";
import { severityCounts } from "../review/finding-heading.ts";
import { count, foreignCode, foreignLine, moment, shortSha, type Wording } from "../wording.ts";
import { refusalText } from "./refusals.ts";

/** `/forge status`: the answer to "what is going on", one line for each thing there is to say. */
export function statusText(status: StatusFacts, wording: Wording): string {
  const { runs, pauses, override, refusals } = status;
  return [
    runLine(status, wording),
    openLine(status),
    ...pauses.map(({ scope, by, at }) => {
      const where = scope === "repository" ? "in this repository" : "here";
      return `**Paused** ${where} by ${foreignCode(by, wording)} since ${moment(at)}. To go on: ${unpauseLine(scope)}`;
    }),
    ...(override
      ? [
          `**Overridden** on this head by ${foreignCode(override.by, wording)}: ${foreignLine(override.reason, wording)}`,
        ]
      : []),
    `**Limits**: ${runs.hour} of ${runs.perHour} reviews in this hour, ${runs.day} of ${runs.perDay} in this day.`,
    ...(refusals.length > 0
      ? [
          `**Refused lately**:\n${refusals.map(({ login, refusal }) => `- ${foreignCode(login, wording)}: ${refusalText(refusal, login, wording)}`).join("\n")}`,
        ]
      : []),
  ].join("\n\n");
}

function runLine({ headSha, active, gates = [], stopped, last }: StatusFacts, wording: Wording): string {
  const [gate] = gates;
  if (active && gate) {
    return `**The review of \`${shortSha(active.headSha)}\` waits for an answer** (${gate.gate}, until ${moment(gate.deadline)}): \`/forge approve ${gate.gate}\` or \`/forge reject ${gate.gate}\``;
  }
  const head = `\`${shortSha(headSha)}\``;
  if (active) {
    const what = active.status === "pending" ? "waits for its review" : "is being reviewed";
    return `**\`${shortSha(active.headSha)}\` ${what}**, since ${moment(active.since)}.`;
  }
  if (stopped) {
    return `**The review of \`${shortSha(stopped.headSha)}\` is stopped** by ${foreignCode(stopped.by, wording)} since ${moment(stopped.at)}. To go on: \`/forge resume\``;
  }
  if (!last) return `**${head} was not looked at yet.** To have it reviewed: \`/forge review\``;
  const said = `${last.conclusion?.replaceAll("_", " ") ?? "no conclusion"} at ${moment(last.at)}, run ${foreignCode(last.runId, wording)}`;
  return last.headSha === headSha
    ? `**Nothing is at work.** The check on ${head} says ${said}.`
    : `**${head} was not looked at yet.** The check on \`${shortSha(last.headSha)}\` said ${said}.`;
}

function openLine({ open, blocking, dismissed, fixed }: StatusFacts): string {
  const severities = SEVERITIES.flatMap((severity) => Array<Severity>(open[severity]).fill(severity));
  const total = severities.length;
  const what =
    total === 0
      ? "nothing is open"
      : `${count(total, "finding")} open (${severityCounts(severities)}), ${blocking} blocking`;
  return `**Ledger**: ${what}; ${dismissed} dismissed, ${fixed} fixed.`;
}
