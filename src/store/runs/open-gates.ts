import { type SQL, sql } from "drizzle-orm";
import { EVENT_CATALOGUE } from "../../domain/event-catalogue.ts";
import type { GateRequest } from "../../domain/gates.ts";
import { Subject } from "../../domain/subjects.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { CUT_TITLE } from "./run-title.ts";

/** A gate that waits for a person, with the run that waits at it. `since` is when it was asked. */
export interface OpenGate extends GateRequest {
  readonly runId: string;
  readonly subject: Subject;
  readonly since: string;
  /** What people call the issue or pull request, cut. */
  readonly title: string | null;
}

/**
 * The gates that wait, the one whose time ends first before the others; at most `limit`, `after` so many. `repositoryIds`: those alone; without it all of them.
 * A run that ended has none: `cross join` has SQLite begin with the few that have not, by the index of those; else it reads the whole log.
 */
export function readOpenGates(
  store: Store,
  { repositoryIds, limit, after = 0 }: Which & { readonly limit: number; readonly after?: number },
): Promise<OpenGate[]> {
  return readWaiting(store, visible(repositoryIds), limit, after);
}

/** How many wait. */
export async function countOpenGates(store: Store, { repositoryIds }: Which): Promise<number> {
  const [row] = await reading(
    store.read.all<{ count: number }>(sql`select count(*) as count ${waiting(visible(repositoryIds))}`),
  );
  return row?.count ?? 0;
}

interface Which {
  readonly repositoryIds?: readonly number[];
}

function visible(repositoryIds: readonly number[] | undefined): SQL {
  if (repositoryIds === undefined) return sql``;
  return sql`and runs.repository_id in (select value from json_each(${JSON.stringify(repositoryIds)}))`;
}

/** The gates of a run that wait. */
export function listOpenGates(store: Store, runId: string): Promise<OpenGate[]> {
  return readWaiting(store, sql`and runs.trace_id = ${runId}`, 20);
}

/** A gate of a run, while it waits. */
export async function findOpenGate(store: Store, runId: string, gate: string): Promise<OpenGate | undefined> {
  const thisOne = sql`and runs.trace_id = ${runId} and json_extract(asked.payload, '$.gate') = ${gate}`;
  const [found] = await readWaiting(store, thisOne, 1);
  return found;
}

/** Where they are: `runs` with `asked`, the event that asked. */
function waiting(which: SQL): SQL {
  return sql`from runs cross join events asked on asked.trace_id = runs.trace_id and asked.type = 'gate.requested'
      where runs.status in ('pending', 'running', 'waiting') ${which}
        and not exists (
          select 1 from events ended
          where ended.trace_id = asked.trace_id and ended.version > asked.version
            and ended.type in ('gate.approved', 'gate.rejected', 'gate.timeout', 'gate.voided')
            and json_extract(ended.payload, '$.gate') = json_extract(asked.payload, '$.gate'))`;
}

async function readWaiting(store: Store, which: SQL, limit: number, after = 0): Promise<OpenGate[]> {
  const rows = await reading(
    store.read.all<{ runId: string; subject: string; since: string; request: string; title: string | null }>(sql`
      select runs.trace_id as runId, runs.subject as subject, asked.at as since, asked.payload as request,
        (select ${CUT_TITLE} from events begun where begun.trace_id = runs.trace_id and begun.version = 1) as title
      ${waiting(which)}
      order by json_extract(asked.payload, '$.deadline'), runs.trace_id
      limit ${limit} offset ${after}`),
  );
  return rows.map(({ request, subject, ...row }) => ({
    ...EVENT_CATALOGUE["gate.requested"].parse(JSON.parse(request)),
    ...row,
    subject: Subject.parse(JSON.parse(subject)),
  }));
}
