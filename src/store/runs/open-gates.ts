import { type SQL, sql } from "drizzle-orm";
import { EVENT_CATALOGUE } from "../../domain/event-catalogue.ts";
import type { GateRequest } from "../../domain/gates.ts";
import { Subject } from "../../domain/subjects.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

/** A gate that waits for a person, with the run that waits at it. `since` is when it was asked. */
export interface OpenGate extends GateRequest {
  readonly runId: string;
  readonly subject: Subject;
  readonly since: string;
}

/**
 * The gates that wait, the one whose time ends first before the others; at most `limit`. `repositoryIds`: those alone; without it all of them.
 * A run that ended has none: `cross join` has SQLite begin with the few that have not, by the index of those; else it reads the whole log.
 */
export function readOpenGates(
  store: Store,
  { repositoryIds, limit }: { readonly repositoryIds?: readonly number[]; readonly limit: number },
): Promise<OpenGate[]> {
  const visible = repositoryIds
    ? sql`and runs.repository_id in (select value from json_each(${JSON.stringify(repositoryIds)}))`
    : sql``;
  return readWaiting(store, visible, limit);
}

/** A gate of a run, while it waits. */
export async function findOpenGate(store: Store, runId: string, gate: string): Promise<OpenGate | undefined> {
  const thisOne = sql`and runs.trace_id = ${runId} and json_extract(asked.payload, '$.gate') = ${gate}`;
  const [found] = await readWaiting(store, thisOne, 1);
  return found;
}

async function readWaiting(store: Store, which: SQL, limit: number): Promise<OpenGate[]> {
  const rows = await reading(
    store.read.all<{ runId: string; subject: string; since: string; request: string }>(sql`
      select runs.trace_id as runId, runs.subject as subject, asked.at as since, asked.payload as request
      from runs cross join events asked on asked.trace_id = runs.trace_id and asked.type = 'gate.requested'
      where runs.status in ('pending', 'running', 'waiting') ${which}
        and not exists (
          select 1 from events ended
          where ended.trace_id = asked.trace_id and ended.version > asked.version
            and ended.type in ('gate.approved', 'gate.rejected', 'gate.timeout', 'gate.voided')
            and json_extract(ended.payload, '$.gate') = json_extract(asked.payload, '$.gate'))
      order by json_extract(asked.payload, '$.deadline'), runs.trace_id
      limit ${limit}`),
  );
  return rows.map(({ runId, subject, since, request }) => ({
    ...EVENT_CATALOGUE["gate.requested"].parse(JSON.parse(request)),
    runId,
    since,
    subject: Subject.parse(JSON.parse(subject)),
  }));
}
