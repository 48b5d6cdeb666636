import type { Effect } from "../../domain/effects.ts";
import type { Others, RunEvent } from "../../domain/events.ts";
import type { ImplementationStatus } from "../../domain/implementation-status.ts";
import { numberOf } from "../../domain/subjects.ts";
import type { LocalDependencies, LocalRun } from "../../pipeline/local/local-run.ts";
import { recordModels } from "../../pipeline/local/record-models.ts";
import { outcomeOf } from "../../pipeline/local/replay-run.ts";
import { reportLocally, type Standing } from "../../pipeline/local/report-run.ts";
import { workLocally } from "../../pipeline/local/work-locally.ts";
import type { StoredEffect } from "../../store/effects/read-effects.ts";
import { subscribe } from "../../store/subscribe.ts";
import { calledAs, quoted } from "../../workspace/called-as.ts";
import { counted, createProgress, dollars, type Progress, plainBlock, plainLine, writeReport } from "../terminal.ts";
import { type RunArguments, readRunArguments } from "./arguments.ts";
import { beginRun, recordRun, takeUpRun } from "./begin-run.ts";
import { endWords } from "./end-words.ts";
import { hearInterrupts, peopleAt, type Terminal } from "./people-at.ts";

/** Exit codes of `forge run`, beside 64 for wrong usage. */
export const RUN_EXIT = { done: 0, failed: 1, waits: 2, interrupted: 130 } as const;

/** A checkout with all that work on it needs. */
export interface RunSession {
  readonly dependencies: Omit<LocalDependencies, "show">;
  /** Why nothing of the project can be run on this machine, in a sentence. */
  readonly noSandbox: string | undefined;
  close(): Promise<void>;
}

export type OpenRunSession = (place: Pick<RunArguments, "repo" | "data">) => Promise<RunSession>;

/** `forge run`: a task on a checkout of this machine, from the plan to a branch (OPS-1). */
export async function runRun(args: readonly string[], open: OpenRunSession, terminal: Terminal): Promise<number> {
  const given = readRunArguments(args);
  const session = await open(given);
  try {
    return await runIn(session, given, terminal);
  } finally {
    await session.close();
  }
}

async function runIn({ dependencies: opened, noSandbox }: RunSession, given: RunArguments, terminal: Terminal) {
  const line = createProgress(terminal.err);
  const say = (text: string) => {
    line.end();
    terminal.err.write(`forge: ${text}\n`);
  };
  const write = (text: string) => {
    line.end();
    terminal.out.write(text);
  };
  const isNew = given.resume === undefined;
  const local = isNew ? await beginRun(opened, given, terminal, say) : await takeUpRun(opened, given);
  if (noSandbox !== undefined) say(`no sandbox here, so nothing of the project is run: ${noSandbox}`);
  const recording = given.record === undefined ? undefined : await recordRun(opened, local, given.record);
  const progress = showProgress(line);
  const ai = recording ? recordModels(opened.ai, recording) : opened.ai;
  const dependencies: LocalDependencies = { ...opened, ai, show: show(local, progress, write) };
  const interrupt = hearInterrupts(terminal.onInterrupt, say);
  const { people, close } = peopleAt(terminal, { given, write, say, interrupt, local, dependencies, recording });
  const off = subscribe(dependencies.store, "*", progress.event);
  try {
    const run = await workLocally(dependencies, local, people);
    const report = await reportLocally(dependencies, run);
    await recording?.write(outcomeOf(report));
    if (given.report !== undefined) await writeReport(given.report, report);
    write(endWords(report, againWords(given, local)));
    const isLeft = interrupt.stopping.aborted && report.standing.is !== "ready";
    return isLeft ? RUN_EXIT.interrupted : exitCode(report.standing);
  } finally {
    line.end();
    off();
    close();
    interrupt.close();
  }
}

/** The plan is printed, the status moves the line of progress; what is there for GitHub alone is left out. */
function show({ subject }: LocalRun, progress: RunProgress, write: (text: string) => void): LocalDependencies["show"] {
  return (effect: StoredEffect) => {
    if (numberOf(effect.subject) !== numberOf(subject)) return;
    if (effect.kind === "issue.status") progress.status(effect.payload.status);
    if (effect.kind !== "plan.show") return;
    const { standing } = effect.payload.gate ?? {};
    if (standing === undefined || standing.is === "open") write(`${planWords(effect.payload)}\n`);
  };
}

function exitCode({ is }: Standing): number {
  switch (is) {
    case "ready":
    case "planned":
    case "nothing_to_do":
      return RUN_EXIT.done;
    case "waits":
      return RUN_EXIT.waits;
    case "at_work":
      return RUN_EXIT.interrupted;
    case "cancelled":
    case "failed":
    case "stopped":
      return RUN_EXIT.failed;
  }
}

/** The command that goes on with the run. */
function againWords({ repo, data }: RunArguments, { runId }: LocalRun): string {
  const where = repo === "." ? "" : ` --repo ${quoted(repo)}`;
  return `${calledAs()} run --resume ${runId}${where}${data === undefined ? "" : ` --data ${quoted(data)}`}`;
}

type Shown = Extract<Effect, { kind: "plan.show" }>["payload"];

/** The plan as it stands on an issue, for a terminal. */
function planWords({ plan, estimate, revision }: Omit<Shown, "planOnly" | "gate">): string {
  const which = revision === 1 ? "Plan" : `Plan, version ${revision}`;
  const minutes = counted(Math.max(1, Math.round(estimate.minutes)), "minute");
  const cost = `about ${dollars(estimate.lowUsd)} to ${dollars(estimate.highUsd)} and ${minutes}`;
  const tasks = plan.tasks.map(
    ({ title, files }, index) => `  ${index + 1}. ${plainLine(title)}\n     ${plainLine(files.join(", "))}`,
  );
  return [
    `${which}: ${plainLine(plan.title)}`,
    `risk ${plan.risk.level} · ${cost}`,
    "",
    plainBlock(plan.summary, "  "),
    "",
    ...tasks,
    "",
    ...listed("done when", plan.acceptance_criteria),
    ...listed("constraints", plan.constraints),
    ...listed("decided", plan.decisions),
    ...listed("not included", plan.not_included),
    ...listed("why this risk", plan.risk.reasons),
    "",
  ].join("\n");
}

function listed(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${label}:`, ...items.map((item) => `  - ${plainLine(item)}`)];
}

/** The run's present activity, on the one line of progress. */
interface RunProgress {
  /** As often as the run itself comes a step further. */
  readonly status: (status: ImplementationStatus) => void;
  /** As often as anything is recorded. */
  readonly event: (event: RunEvent) => void;
  readonly say: (text: string) => void;
}

/** Characters of a title on the line. */
const SHOWN = 50;

function showProgress(progress: Progress): RunProgress {
  let where = "beginning";
  let what = "";
  let spentUsd = 0;
  const tell = () => progress.show([where, ...(what === "" ? [] : [what]), dollars(spentUsd)].join(" · "));
  return {
    status: ({ step }) => {
      where = stepWords(step);
      what = "";
      tell();
    },
    event: (event) => {
      spentUsd += event.cost?.usd ?? 0;
      what = eventWords(event) ?? what;
      tell();
    },
    say: (text) => progress.show(text),
  };
}

function stepWords(step: ImplementationStatus["step"]): string {
  switch (step.is) {
    case "beginning":
      return "beginning";
    case "planning":
      return step.revision === 0 ? "planning" : "planning anew";
    case "task":
      return `task ${step.done + 1} of ${step.all}: ${plainLine(step.title, SHOWN)}`;
    case "feedback":
      return `working on what came back (${step.cause}, ${step.items})`;
    case "pushing":
      return "writing the branch";
    case "reviewing":
      return "reviewing";
    case "in_phase":
      return step.phase;
    case "testing":
      return "testing";
    case "ready":
      return "done";
  }
}

function eventWords(event: RunEvent): string | undefined {
  switch (event.type) {
    case "agent.reasoned":
      return `step ${event.payload.step}`;
    case "tool.called":
      return `${plainLine(event.payload.tool, 30)} ${plainLine(event.payload.input, SHOWN)}`;
    case "agent.compressed":
      return "shortening its notes";
    default:
      event.type satisfies Others<
        "agent" | "tool",
        | "agent.completed"
        | "agent.escalated"
        | "agent.failed"
        | "agent.iteration"
        | "agent.reflected"
        | "agent.resumed"
        | "agent.stagnated"
        | "agent.started"
        | "agent.stopped"
        | "agent.warning"
        | "tool.approval_requested"
        | "tool.approval_resolved"
        | "tool.completed"
        | "tool.failed"
        | "tool.skipped"
      >;
      return undefined;
  }
}
