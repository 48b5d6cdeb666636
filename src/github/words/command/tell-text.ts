import type { Subject } from "../../../domain/subjects.ts";
import type { ConfigurationFacts, CostFacts, HistoryFacts, InstructionFacts } from "../../../domain/told-facts.ts";
import { count, duration, foreignCode, foreignLine, moment, shortSha, usd, type Wording } from "../wording.ts";

type Spent = CostFacts["spent"][number];

/** Rows that are shown; one line counts the older ones. */
const MAXIMUM_ROWS = 10;

/** `/forge cost`: what models cost here by run, phase and model, the newest last, and what each limit leaves. */
export function costText({ spent, limits }: CostFacts, wording: Wording, on: Subject["kind"]): string {
  const whose = on === "issue" ? { ...WHOSE, phase: "the newest phase", subject: "this issue" } : WHOSE;
  return [
    spentHead(spent, whose.subject),
    ...table("run", "cost", spentRows(spent, wording)),
    ...table(
      "limit",
      "left",
      limits.map((limit) => limitRow(limit, whose[limit.scope])),
    ),
  ].join("\n\n");
}

function spentHead(spent: readonly Spent[], subject: string): string {
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

function limitRow({ usedUsd, limitUsd }: CostFacts["limits"][number], whose: string): string {
  return `| ${whose} | ${usd(Math.max(0, limitUsd - usedUsd))} of ${usd(limitUsd)} |`;
}

const WHOSE = {
  phase: "the newest review",
  subject: "this pull request",
  repository: "this repository, today (UTC)",
  installation: "all repositories of this installation, today (UTC)",
  day: "all repositories, today (UTC)",
} as const;

function table(one: string, other: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [[`| ${one} | ${other} |`, "|---|---|", ...rows].join("\n")];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

type Run = HistoryFacts["runs"][number];

/** `/forge history`: the latest runs, the newest first, each with what became of it and what it cost. */
export function historyText({ runs, more }: HistoryFacts, wording: Wording): string {
  if (runs.length === 0) return "**No run here yet.**";
  return [
    `**${count(runs.length + more, "run")} here**, the newest first.`,
    ["| run | what became of it |", "|---|---|", ...runs.map((run) => runRow(run, wording))].join("\n"),
    ...(more > 0 ? [`${count(more, "older run")} not shown.`] : []),
  ].join("\n\n");
}

function runRow({ runId, kind, startedAt, endedAt, status, headSha, costUsd }: Run, wording: Wording): string {
  const facts = [
    foreignLine(status, wording, { table: true }),
    moment(startedAt),
    ...(endedAt === undefined ? [] : [duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))]),
    ...(headSha === "" ? [] : [`\`${shortSha(headSha)}\``]),
    ...(costUsd > 0 ? [usd(costUsd)] : []),
  ];
  return `| ${foreignCode(runId, wording, { table: true })} ${kind} | ${facts.join(" · ")} |`;
}

const ORIGINS = {
  default: "default",
  organisation: "the organization's `.github` repository",
  repository: "`.github/forge.yml`",
} as const;

/** `/forge config`: each setting that was changed, with where its value comes from; the defaults are folded. */
export function configurationText({ settings, problems, instructions }: ConfigurationFacts, wording: Wording): string {
  const set = settings.filter(({ from }) => from !== "default");
  const defaults = settings.filter(({ from }) => from === "default");
  const first =
    set.length === 0 ? "**Nothing is configured**: every value is the default." : "**Configuration in force.**";
  const summary = `<summary>${count(defaults.length, "default")}</summary>`;
  return [
    ...problems.map((problem) => `**Mistake**: ${foreignLine(problem, wording)}`),
    first,
    ...(set.length > 0 ? [settingsTable(set, wording)] : []),
    ...(defaults.length > 0 ? [`<details>${summary}\n\n${settingsTable(defaults, wording)}\n\n</details>`] : []),
    ...(instructions ? instructionLines(instructions, wording) : []),
  ].join("\n\n");
}

function settingsTable(settings: ConfigurationFacts["settings"], wording: Wording): string {
  const isDefault = settings.every(({ from }) => from === "default");
  const head = isDefault ? "| setting | value |\n|---|---|" : "| setting | value | from |\n|---|---|---|";
  const rows = settings.map(({ name, value, from }) => {
    const shown = foreignCode(value, wording, { table: true });
    return `| ${foreignCode(name, wording, { table: true })} | ${shown} |${isDefault ? "" : ` ${ORIGINS[from]} |`}`;
  });
  return [head, ...rows].join("\n");
}

/** What is found is said: the people who maintain such files will ask. */
function instructionLines({ found, leftOut, truncated }: InstructionFacts, wording: Wording): string[] {
  if (found.length + leftOut.length === 0) return [];
  const names = found.map((path) => foreignCode(path, wording));
  const left = leftOut.map(({ path, reason }) => `${foreignCode(path, wording)} (${reason})`);
  return [
    [
      `**Instruction files**: ${names.length > 0 ? names.join(", ") : "none that can be used"}.`,
      ...(left.length > 0 ? [`Left out: ${left.join(", ")}.`] : []),
      ...(truncated ? ["There may be more: GitHub listed a part of the files only."] : []),
      "The AI layer reads them, where a model is set up.",
    ].join(" "),
  ];
}
