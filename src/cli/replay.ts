import { readFile } from "node:fs/promises";
import type { ReplayResult } from "../pipeline/compare-replay.ts";
import { parseRecording, type Recording } from "../pipeline/local/recording.ts";
import type { ReplayedRun } from "../pipeline/local/replay-run.ts";
import { plainLine } from "../safety/plain-line.ts";
import { EXIT, UsageError } from "./dispatch.ts";
import { findRun, type RunFinder } from "./find-run.ts";
import { parseOptions } from "./parse-options.ts";
import { counted } from "./terminal.ts";

export interface ReplayDependencies extends RunFinder {
  compare(runId: string): Promise<ReplayResult>;
}

/** `forge replay <run>`: the same state from events alone, or the differences and exit code 1. */
export async function runReplay(
  args: readonly string[],
  dependencies: ReplayDependencies,
  out: { write(text: string): unknown },
): Promise<number> {
  if (args.length > 1) throw new UsageError("replay takes one run");
  const run = await findRun(dependencies, args[0]);
  const { events, findings, differences } = await dependencies.compare(run.runId);
  const read = `${events} ${events === 1 ? "event" : "events"}, ${findings} ${findings === 1 ? "finding" : "findings"}`;
  if (differences.length === 0) {
    out.write(`${run.runId}: the same state from ${read}\n`);
    return EXIT.ok;
  }
  const lines = differences.map(
    ({ what, events: told, tables }) => `  ${what}: events ${JSON.stringify(told)}, tables ${JSON.stringify(tables)}`,
  );
  out.write(`${run.runId}: ${differences.length} differences from ${read}\n${lines.join("\n")}\n`);
  return EXIT.failed;
}

/** Whether `forge replay` is asked to replay a recording rather than the events of a run. */
export function isOfRecording(args: readonly string[]): boolean {
  return args.some((arg) => arg === "--recording" || arg.startsWith("--recording="));
}

/** `forge replay --recording <file>`: the same work without a model, or what is different and exit code 1. */
export async function runReplayRecording(
  args: readonly string[],
  replay: (recording: Recording, repo: string) => Promise<ReplayedRun>,
  out: { write(text: string): unknown },
): Promise<number> {
  const { recording: path, repo } = parse(args);
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new UsageError(`the recording cannot be read: ${error.message}`);
  });
  const recording = parseRecording(text);
  const { differences, report } = await replay(recording, repo);
  const what = [
    counted(report.commits.length, "commit"),
    `${report.totals.modelCalls} replies`,
    counted(report.totals.toolCalls, "tool call"),
  ].join(", ");
  if (differences.length === 0) {
    out.write(`the same work: ${what}\n`);
    return EXIT.ok;
  }
  out.write(`${differences.length} differences (${what})\n`);
  for (const difference of differences) out.write(`  ${plainLine(difference, 400)}\n`);
  return EXIT.failed;
}

function parse(args: readonly string[]) {
  const { values } = parseOptions(args, {
    options: { recording: { type: "string" }, repo: { type: "string", default: "." } },
  });
  if (!values.recording) throw new UsageError("--recording takes a file");
  return { recording: values.recording, repo: values.repo };
}
