import { asc, sql } from "drizzle-orm";
import { defined } from "../domain/defined.ts";
import { Actor, type Subject, subjectKey } from "../domain/subjects.ts";
import { reading } from "./reading.ts";
import { events } from "./schema.ts";
import type { Store } from "./store.ts";

/** One event about a finding, as far as its history needs it. */
export interface FindingEvent {
  readonly type: string;
  readonly at: string;
  readonly headSha?: string;
  readonly actor?: Actor;
}

/** What happened to a finding in the runs of its subject and by commands, oldest first; where it was posted is left out. */
export async function readFindingEvents(store: Store, subject: Subject, findingId: string): Promise<FindingEvent[]> {
  const of = subjectKey(subject);
  const rows = await reading(
    store.read
      .select({
        type: events.type,
        at: events.at,
        actor: events.actor,
        headSha: sql<string | null>`coalesce(json_extract(${events.payload}, '$.headSha'),
          (select head_sha from runs where runs.trace_id = ${events.traceId}))`,
      })
      .from(events)
      .where(
        sql`(${events.traceId} = ${of} or ${events.traceId} in (select trace_id from runs where subject_key = ${of}))
          and ${events.type} in
            ('finding.detected', 'finding.resolved', 'finding.regressed', 'finding.dismissed', 'finding.undismissed')
          and coalesce(json_extract(${events.payload}, '$.findingId'), json_extract(${events.payload}, '$.finding.id'))
            = ${findingId}`,
      )
      .orderBy(asc(events.at), asc(events.id)),
  );
  return rows.map(({ headSha, actor, ...row }) => ({
    ...row,
    ...defined({ headSha: headSha ?? undefined }),
    ...(actor === null ? {} : { actor: Actor.parse(JSON.parse(actor)) }),
  }));
}
