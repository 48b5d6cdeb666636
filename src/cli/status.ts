import { subjectName } from "../domain/subjects.ts";
import { gateName } from "../github/words/gate/work-gate-text.ts";
import { DELIVERED, GATE, needs, SECTIONS, timeWords } from "../github/words/view-words.ts";
import { usd } from "../github/words/wording.ts";
import type { Overview } from "../pipeline/views/view-overview.ts";
import { plainLine } from "../safety/plain-line.ts";
import type { JobCounts } from "../store/jobs/read-jobs.ts";
import type { OpenGate } from "../store/runs/open-gates.ts";
import { parseOptions } from "./parse-options.ts";
import { runTable, type TableLook, table } from "./run-table.ts";

export interface StatusDependencies {
  jobs(): Promise<JobCounts>;
  overview(now: Date): Promise<Overview>;
}

/** A place that is printed to; `columns` where it is a terminal. */
export interface Printed {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

/** `forge status`: what the first page shows. What waits for people, what runs, what failed, what was delivered, and the queue. */
export async function runStatus(
  args: readonly string[],
  { jobs, overview }: StatusDependencies,
  out: Printed,
): Promise<number> {
  const { values } = parseOptions(args, { options: { json: { type: "boolean", default: false } } });
  const now = new Date();
  const [counts, seen] = [await jobs(), await overview(now)];
  if (values.json) out.write(`${JSON.stringify({ jobs: counts, ...seen }, null, 2)}\n`);
  else out.write(`${statusText(seen, counts, { now, columns: out.columns })}\n`);
  return 0;
}

function statusText(seen: Overview, jobs: JobCounts, look: TableLook): string {
  const { gates, waiting, atWork, failed, parked, delivered, usdToday } = seen;
  const more = waiting - gates.length;
  const waits =
    gates.length === 0
      ? ""
      : table(
          gates.map((gate) => gateRow(gate, look)),
          look,
        );
  const done = delivered.map(({ is, subject, at, runId, title }) => {
    const name = plainLine(subjectName(subject));
    return [runId, DELIVERED[is], name, timeWords(at, look.now), title === null ? "" : plainLine(title)];
  });
  const { nothing } = SECTIONS;
  return [
    waiting === 0 ? `${nothing}.` : [`${GATE.waiting(waiting)}:`, waits, ...(more > 0 ? [`  ${GATE.more(more)}`] : [])],
    atWork.length === 0 ? SECTIONS.runs.none : [`${SECTIONS.runs.title}:`, runTable(atWork, look)],
    failed.length + parked.length === 0
      ? SECTIONS.failed.none
      : [`${SECTIONS.failed.title}:`, runTable([...failed, ...parked], look)],
    ...(done.length === 0 ? [] : [[`${SECTIONS.delivered.title}:`, table(done, look)]]),
    `Jobs: ${jobs.queued} waiting, ${jobs.running} running, ${jobs.dead} given up. Models today (UTC): ${usd(usdToday)}.`,
  ]
    .flat()
    .join("\n");
}

function gateRow(
  { gate, question, subject, since, deadline, needs: role, runId, title }: OpenGate,
  { now }: TableLook,
) {
  return [
    ...[runId, gate, plainLine(subjectName(subject)), plainLine(gateName(question))],
    ...[`${GATE.since} ${timeWords(since, now)}`, `${GATE.until} ${timeWords(deadline, now)}`, needs(role)],
    title === null ? "" : plainLine(title),
  ];
}
