import type { CostFacts } from "../../domain/answers.ts";
import type { Subject } from "../../domain/subjects.ts";
import { usd } from "./amounts.ts";
import { count, foreignCode, foreignLine, type Wording } from "./wording.ts";

type Spent = CostFacts["spent"][number];

/** Rows that are shown; what is older stands in one line. */
const MAXIMUM_ROWS = 10;

/** `/forge cost`: what models cost here by run, phase and model, the newest last, and what each limit leaves. */
export function costText({ spent, limits }: CostFacts, wording: Wording, on: Subject["kind"]): string {
  const whose = on === "issue" ? { ...WHOSE, phase: "the newest phase", subject: "this issue" } : WHOSE;
  return [
    head(spent, whose.subject),
    ...table("run", "cost", spentRows(spent, wording)),
    ...table(
      "limit",
      "left",
      limits.map((limit) => left(limit, whose[limit.scope])),
    ),
  ].join("\n\n");
}

function head(spent: readonly Spent[], subject: string): string {
  const runs = new Set(spent.map(({ runId }) => runId)).size;
  if (runs === 0) return `**Nothing was spent here**: no model was asked about ${subject}.`;
  return `**${usd(sum(spent.map((one) => one.usd)))} was spent here**, by ${count(runs, "run")}.`;
}

function spentRows(spent: readonly Spent[], wording: Wording): string[] {
  const older = spent.slice(0, -MAXIMUM_ROWS);
  const rows = spent.slice(-MAXIMUM_ROWS).map(({ runId, phase, model, usd: paid, tokens, cachedShare }) => {
    const which = `${foreignCode(runId, wording, { table: true })} ${phase}, ${foreignLine(model, wording, { table: true })}`;
    return `| ${which} | ${usd(paid)}: ${count(tokens, "token")}, ${Math.round(cachedShare * 100)} % cached |`;
  });
  return older.length === 0 ? rows : [`| earlier | ${usd(sum(older.map((one) => one.usd)))} |`, ...rows];
}

function left({ usedUsd, limitUsd }: CostFacts["limits"][number], whose: string): string {
  return `| ${whose} | ${usd(Math.max(0, limitUsd - usedUsd))} of ${usd(limitUsd)} |`;
}

const WHOSE = {
  phase: "the newest review",
  subject: "this pull request",
  repository: "this repository, today (UTC)",
  day: "all repositories, today (UTC)",
} as const;

function table(one: string, other: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [[`| ${one} | ${other} |`, "|---|---|", ...rows].join("\n")];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
