import type { LoopEvent } from "../../agents/library.ts";

import type { RunEvent } from "../../domain/events.ts";
import { saidAgainst } from "../../domain/plan.ts";
import { evolveImplementation, replayImplementation } from "../../pipeline/implement/evolve.ts";
import { statusOf } from "../../pipeline/implement/status-of.ts";
import type { LocalDependencies, LocalRun } from "../../pipeline/local/local-run.ts";
import { recordModels } from "../../pipeline/local/record-models.ts";
import { outcomeOf } from "../../pipeline/local/replay-run.ts";
import { reportLocally, type Standing } from "../../pipeline/local/report-run.ts";
import { workLocally } from "../../pipeline/local/work-locally.ts";
import { plainLine } from "../../safety/plain-line.ts";
import { readEvents } from "../../store/events/read-events.ts";
import { subscribe } from "../../store/subscribe.ts";
import { calledAs, quoted } from "../../workspace/called-as.ts";
import { counted, createProgress, dollars, plainBlock, writeReport } from "../terminal.ts";
import { type RunArguments, readRunArguments } from "./arguments.ts";
import { beginRun, recordRun, takeUpRun } from "./begin-run.ts";
import { endWords } from "./end-words.ts";
import { hearInterrupts, peopleAt, type Terminal } from "./people-at.ts";
import { type RunProgress, showProgress } from "./progress.ts";
import { createTranscript } from "./transcript.ts";

/** Exit codes of `forge run`, in addition to 64 for wrong usage. */
export const RUN_EXIT = { done: 0, failed: 1, waits: 2, interrupted: 130 } as const;

/** A checkout with all that work on it needs. */
export interface RunSession {
  readonly dependencies: LocalDependencies;
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
  const toErrors = (text: string) => {
    line.end();
    terminal.err.write(text);
  };
  const write = (text: string) => {
    line.end();
    terminal.out.write(text);
  };
  const isNew = given.resume === undefined;
  const local = isNew ? await beginRun(opened, given, terminal, say) : await takeUpRun(opened, given);
  if (noSandbox !== undefined) say(`no sandbox here, so nothing of the project is run: ${noSandbox}`);
  const recording = given.record === undefined ? undefined : await recordRun(opened, local, given.record);
  const events = await readEvents(opened.store, local.runId);
  const progress = showProgress(line, { events, now: Date.now, say });
  const heard = given.verbose ? toldTwice(progress, createTranscript(toErrors, opened.ai.redact)) : progress.heard;
  const ai = { ...(recording ? recordModels(opened.ai, recording) : opened.ai), heard };
  const dependencies: LocalDependencies = { ...opened, ai };
  const interrupt = hearInterrupts(terminal.onInterrupt, say);
  const { people, close } = peopleAt(terminal, { given, write, say, interrupt, local, dependencies, recording });
  const off = subscribe(dependencies.store, "*", followed(local, events, progress, write));
  const clock = terminal.err.isTTY ? setInterval(progress.tick, 1_000) : undefined;
  try {
    const run = await workLocally(dependencies, local, people);
    const report = await reportLocally(dependencies, run);
    await recording?.write(outcomeOf(report));
    if (given.report !== undefined) await writeReport(given.report, report);
    write(endWords(report, againWords(given, local)));
    const isLeft = interrupt.stopping.aborted && report.standing.is !== "ready";
    return isLeft ? RUN_EXIT.interrupted : exitCode(report.standing);
  } finally {
    clearInterval(clock);
    line.end();
    off();
    close();
    interrupt.close();
  }
}

/** The line of progress comes last, below what stays. */
function toldTwice(progress: RunProgress, transcript: (event: LoopEvent) => void): (event: LoopEvent) => void {
  return (event) => {
    transcript(event);
    progress.heard(event);
    progress.tick();
  };
}

/**
 * Tells the line of progress of each event, with the step that the run is in then, and prints each plan before it is carried out. Events are
 * stored at once, and effects carried out after the job.
 */
function followed(
  { runId }: LocalRun,
  events: readonly RunEvent[],
  progress: RunProgress,
  write: (text: string) => void,
): (event: RunEvent) => void {
  let run = replayImplementation(events);
  if (run) progress.status(statusOf(run));
  return (event) => {
    if (event.traceId === runId) {
      run = evolveImplementation(run, event);
      progress.status(statusOf(run));
      if (event.type === "plan.proposed") write(`${planWords(event.payload)}\n`);
    }
    progress.event(event);
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

type Proposed = Extract<RunEvent, { type: "plan.proposed" }>["payload"];

/** The plan, as on an issue, for a terminal. */
function planWords({ plan, estimate, revision }: Proposed): string {
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
    ...listed("components", plan.architecture?.components ?? []),
    ...listed("interfaces", plan.architecture?.interfaces ?? []),
    ...listed("decided", plan.decisions),
    ...listed("considered and not chosen", (plan.alternatives ?? []).map(saidAgainst)),
    ...listed("not included", plan.not_included),
    ...listed("why this risk", plan.risk.reasons),
    "",
  ].join("\n");
}

function listed(label: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${label}:`, ...items.map((item) => `  - ${plainLine(item)}`)];
}
