import type { HistoryFacts } from "../../domain/answers.ts";
import { duration, usd } from "./amounts.ts";
import { moment } from "./status-text.ts";
import { count, foreignCode, foreignLine, shortSha, type Wording } from "./wording.ts";

type Run = HistoryFacts["runs"][number];

/** `/forge history`: the latest runs, the newest first, each with what became of it and what it cost. */
export function historyText({ runs, more }: HistoryFacts, wording: Wording): string {
  if (runs.length === 0) return "**No run here yet.**";
  return [
    `**${count(runs.length + more, "run")} here**, the newest first.`,
    ["| run | what became of it |", "|---|---|", ...runs.map((run) => row(run, wording))].join("\n"),
    ...(more > 0 ? [`${count(more, "older run")} not shown.`] : []),
  ].join("\n\n");
}

function row({ runId, kind, startedAt, endedAt, status, headSha, costUsd }: Run, wording: Wording): string {
  const facts = [
    foreignLine(status, wording, { table: true }),
    moment(startedAt),
    ...(endedAt === undefined ? [] : [duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))]),
    ...(headSha === "" ? [] : [`\`${shortSha(headSha)}\``]),
    ...(costUsd > 0 ? [usd(costUsd)] : []),
  ];
  return `| ${foreignCode(runId, wording, { table: true })} ${kind} | ${facts.join(" · ")} |`;
}
