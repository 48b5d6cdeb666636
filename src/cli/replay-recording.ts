import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseRecording, type Recording } from "../pipeline/local/recording.ts";
import type { ReplayedRun } from "../pipeline/local/replay-run.ts";
import { EXIT, UsageError } from "./dispatch.ts";
import { counted, plainLine } from "./run/plain.ts";

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
  try {
    const options = { recording: { type: "string" }, repo: { type: "string", default: "." } } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (!values.recording) throw new UsageError("--recording takes a file");
    return { recording: values.recording, repo: values.repo };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}
