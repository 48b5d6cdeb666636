import type { LocalReport } from "../../pipeline/local/report-run.ts";
import { plainLine } from "../../safety/plain-line.ts";
import { counted, dollars, lasting } from "../terminal.ts";
import { gateName } from "./gate-words.ts";

/** Open findings that are shown; the report has them all. */
const MOST_FINDINGS = 10;

/** How a run ended or stands, what it left, and what can be typed next. `again` goes on with it. */
export function endWords(report: LocalReport, again: string): string {
  return `${[first(report), ...made(report), ...verdict(report), ...tests(report), ...leftOut(report), cost(report), ...next(report, again)].join("\n")}\n`;
}

function first({ standing, branch, gates, base }: LocalReport): string {
  switch (standing.is) {
    case "ready":
      return `Done: branch ${branch}, made at ${base?.ref} (${base?.sha.slice(0, 7)})`;
    case "planned":
      return "Planned, as was asked for; nothing was changed.";
    case "nothing_to_do":
      return "Nothing had to be changed.";
    case "waits": {
      const open = gates.filter(({ gate }) => standing.gates.includes(gate));
      return `Waits for a person: ${open.map(({ gate, question }) => `${gate}, ${gateName(question)}`).join("; ")}`;
    }
    case "stopped":
      return standing.by !== undefined && standing.reason === "it was stopped"
        ? "Stopped, with everything kept."
        : `Stopped: ${plainLine(standing.reason, 600)}`;
    case "failed":
      return `Failed: ${plainLine(standing.reason, 600)}`;
    case "cancelled":
      return standing.reason === "rejected" ? "Ended: the plan was rejected; nothing was changed." : "Ended.";
    case "at_work":
      return "Interrupted in the middle of a step, with everything up to that step kept.";
  }
}

function made({ commits, branch, standing }: LocalReport): string[] {
  const lines = commits.map(
    ({ sha, message }) => `  ${sha.slice(0, 7)} ${plainLine(message.split("\n", 1)[0] ?? "", 100)}`,
  );
  if (lines.length === 0 || standing.is === "ready") return lines;
  return [`so far on branch ${branch}:`, ...lines];
}

function verdict({ reviews, findings }: LocalReport): string[] {
  if (reviews.length === 0) return [];
  const all = findings.filter(({ state }) => state === "open" || state === "regressed");
  // Notes ask for nothing, so they are only counted, as in a review of a folder.
  const open = all.filter(({ severity }) => severity !== "info");
  const notes = all.length - open.length;
  const shown = open.slice(0, MOST_FINDINGS).map(({ file, line, severity, rule, message }) => {
    return `  ${plainLine(file, 120)}:${line} ${severity} ${plainLine(rule, 60)} ${plainLine(message, 160)}`;
  });
  const rest = open.length - shown.length;
  return [
    `review: ${open.length === 0 ? "no finding is open" : `${counted(open.length, "finding")} open`}${notes > 0 ? `, ${counted(notes, "note")}` : ""}, ${counted(reviews.length, "round")}`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function tests({ tests: rounds }: LocalReport): string[] {
  const last = rounds.at(-1);
  if (!last) return [];
  const { outcome, passed, failed, skipped, files, runner, reason } = last;
  if (outcome === "not_run") return [`tests: not run: ${plainLine(reason ?? "no reason was given")}`];
  const facts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return [
    `tests: ${facts.join(", ")} in ${counted(files, "file")}${runner === undefined ? "" : ` (${plainLine(runner, 60)})`}`,
  ];
}

function leftOut({ notDone }: LocalReport): string[] {
  return notDone.length === 0 ? [] : ["left out:", ...notDone.map((one) => `  - ${plainLine(one)}`)];
}

function cost({ totals, runId, startedAt, lastAt }: LocalReport): string {
  const { costUsd, tokens, modelCalls, toolCalls } = totals;
  const took = lasting(Date.parse(lastAt) - Date.parse(startedAt));
  const calls = `${counted(modelCalls, "model call")}, ${counted(toolCalls, "tool call")}`;
  return `cost: ${dollars(costUsd)}, ${tokens.toLocaleString("en-US")} tokens, ${calls}, ${took} · run ${runId}`;
}

function next({ standing, branch, base }: LocalReport, again: string): string[] {
  switch (standing.is) {
    case "ready":
      return [`to look at it: git diff ${base?.sha.slice(0, 10)} ${branch} · to take it: git merge ${branch}`];
    case "waits":
      return [`to answer: ${again}`];
    case "stopped":
      return [
        standing.limit === undefined
          ? `to go on: ${again}`
          : `to go on: ${again} --extend ${standing.limit}=${MORE[standing.limit] ?? 10}`,
      ];
    case "failed":
    case "at_work":
      return [`to go on: ${again}`];
    case "cancelled":
    case "planned":
    case "nothing_to_do":
      return [];
  }
}

/** Half of a usual limit. */
const MORE: Readonly<Record<string, number>> = { usd: 5, iterations: 25, minutes: 30 };
