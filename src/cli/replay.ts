import type { ReplayResult } from "../pipeline/runs/compare-replay.ts";
import { EXIT, UsageError } from "./dispatch.ts";
import { findRun, type RunFinder } from "./find-run.ts";

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
  const { events, findings, differences } = await dependencies.compare(run.traceId);
  const read = `${events} ${events === 1 ? "event" : "events"}, ${findings} ${findings === 1 ? "finding" : "findings"}`;
  if (differences.length === 0) {
    out.write(`${run.traceId}: the same state from ${read}\n`);
    return EXIT.ok;
  }
  const lines = differences.map(
    ({ what, events: told, tables }) => `  ${what}: events ${JSON.stringify(told)}, tables ${JSON.stringify(tables)}`,
  );
  out.write(`${run.traceId}: ${differences.length} differences from ${read}\n${lines.join("\n")}\n`);
  return EXIT.failed;
}
