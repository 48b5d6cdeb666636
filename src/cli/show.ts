import type { RunEvent } from "../domain/events.ts";
import type { RunReport } from "../pipeline/views/view-run.ts";
import type { ListedRun } from "../store/runs/overview.ts";
import { UsageError } from "./dispatch.ts";
import { findRun, type RunFinder } from "./find-run.ts";
import { parseOptions } from "./parse-options.ts";
import { logText } from "./show-log.ts";
import { headline, reportText } from "./show-report.ts";
import type { Printed } from "./status.ts";

export interface ShowDependencies extends RunFinder {
  report(run: ListedRun): Promise<RunReport>;
  events(runId: string): Promise<readonly RunEvent[]>;
}

/** `forge show <run>`: what the page of a run shows; with `--log` or `--reasoning` its events, one a line. */
export async function runShow(
  args: readonly string[],
  { report, events, ...finder }: ShowDependencies,
  out: Printed,
): Promise<number> {
  const { prefix, json, log, reasoning } = parse(args);
  const run = await findRun(finder, prefix);
  const look = { now: new Date(), columns: out.columns };
  const asJson = (what: object) => out.write(`${JSON.stringify(what, null, 2)}\n`);
  if (log || reasoning) {
    const all = await events(run.runId);
    if (json) asJson(all);
    else out.write(`${headline(run, look)}\n${logText(all, reasoning)}`);
    return 0;
  }
  const shown = await report(run);
  if (json) asJson(withDone(shown));
  else out.write(`${reportText(shown, look)}\n`);
  return 0;
}

/** A set is `{}` in JSON. */
function withDone({ plan, ...report }: RunReport) {
  return { ...report, ...(plan && { plan: { ...plan, done: [...plan.done] } }) };
}

function parse(args: readonly string[]) {
  const off = { type: "boolean", default: false } as const;
  const { values, positionals } = parseOptions(args, {
    allowPositionals: true,
    options: { json: off, log: off, reasoning: off },
  });
  if (positionals.length > 1) throw new UsageError("show takes one run");
  return { prefix: positionals[0], ...values };
}
