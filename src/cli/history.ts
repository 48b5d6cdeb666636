import { RUN_KINDS, RUN_STATUSES } from "../domain/phases.ts";
import type { ListedRun } from "../store/runs/overview.ts";
import type { RunSearch } from "../store/runs/search-runs.ts";
import { UsageError } from "./dispatch.ts";
import { oneOf, parseOptions } from "./parse-options.ts";
import { runTable } from "./run-table.ts";
import type { Printed } from "./status.ts";

type List = (search: RunSearch & { readonly limit: number }) => Promise<readonly ListedRun[]>;

/** `forge history`: the runs that fit, the latest first, as the page of runs lists them. */
export async function runHistory(args: readonly string[], list: List, out: Printed): Promise<number> {
  const { json, ...search } = parse(args);
  const runs = await list(search);
  out.write(
    json ? `${JSON.stringify(runs, null, 2)}\n` : `${runTable(runs, { now: new Date(), columns: out.columns })}\n`,
  );
  return 0;
}

function parse(args: readonly string[]) {
  const { values, positionals } = parseOptions(args, {
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      limit: { type: "string", default: "20" },
      kind: { type: "string" },
      status: { type: "string" },
    },
  });
  const { json, limit, kind, status } = values;
  if (positionals.length > 1) throw new UsageError("history takes one text to look for; put it in quotes");
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > 10_000)
    throw new UsageError(`--limit is a number from 1 to 10000, not ${JSON.stringify(limit)}`);
  return {
    ...{ json, limit: most, text: positionals[0] },
    ...(kind === undefined ? {} : { kind: oneOf("--kind", RUN_KINDS, kind) }),
    ...(status === undefined ? {} : { status: oneOf("--status", RUN_STATUSES, status) }),
  };
}
