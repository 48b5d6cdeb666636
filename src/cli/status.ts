import type { RunStatus } from "../domain/phases.ts";
import type { JobCounts } from "../store/jobs/read-jobs.ts";
import type { RunProjection } from "../store/runs/upsert-runs.ts";
import { UsageError } from "./dispatch.ts";
import { listed } from "./find-run.ts";
import { parseOptions } from "./parse-options.ts";
import { counted } from "./terminal.ts";

interface Out {
  write(text: string): unknown;
}

export interface StatusDependencies {
  jobs(): Promise<JobCounts>;
  runs(status: RunStatus): Promise<readonly RunProjection[]>;
}

/** Activities of a run, with the words for them. */
const AT_WORK: readonly (readonly [RunStatus, string])[] = [
  ["running", "at work"],
  ["pending", "about to begin"],
  ["waiting", "waiting for a person, or stopped"],
];

/** `forge status`: jobs by state, and the runs that have not ended. */
export async function runStatus(
  args: readonly string[],
  { jobs, runs }: StatusDependencies,
  out: Out,
): Promise<number> {
  const { json } = parse(args, "status");
  const counts = await jobs();
  const groups = await Promise.all(
    AT_WORK.map(async ([status, words]) => ({ status, words, runs: await runs(status) })),
  );
  if (json) {
    out.write(`${JSON.stringify({ jobs: counts, runs: groups.flatMap((group) => group.runs) }, null, 2)}\n`);
    return 0;
  }
  const { queued, running, dead } = counts;
  const lines = [
    `${counted(queued, "job")} waiting, ${running} running, ${dead} given up`,
    ...groups.flatMap((group) => (group.runs.length === 0 ? [] : [`${group.words}:`, listed(group.runs)])),
    ...(groups.every((group) => group.runs.length === 0) ? ["no run is open"] : []),
  ];
  out.write(`${lines.join("\n")}\n`);
  return 0;
}

/** `forge history`: the latest runs. */
export async function runHistory(
  args: readonly string[],
  latest: (limit: number) => Promise<readonly RunProjection[]>,
  out: Out,
): Promise<number> {
  const { json, limit } = parse(args, "history");
  const runs = await latest(limit);
  out.write(json ? `${JSON.stringify(runs, null, 2)}\n` : `${listed(runs)}\n`);
  return 0;
}

function parse(args: readonly string[], command: "status" | "history") {
  const json = { type: "boolean", default: false } as const;
  const limit = { type: "string", default: "20" } as const;
  const { values } = parseOptions(args, { options: command === "history" ? { json, limit } : { json } });
  const most = Number(values.limit ?? 20);
  if (!Number.isInteger(most) || most < 1 || most > 10_000)
    throw new UsageError(`--limit is a number from 1 to 10000, not ${JSON.stringify(values.limit)}`);
  return { json: values.json, limit: most };
}
