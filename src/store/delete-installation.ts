import { asc, gt, sql } from "drizzle-orm";
import { readDelivery } from "./inbox/read-delivery.ts";
import { deliveries } from "./schema.ts";
import { statement } from "./statement.ts";
import { reading } from "./storage-error.ts";
import type { Store } from "./store.ts";

/**
 * Forgets everything of an installation (DATA-2): whole runs, so that no chain is cut. Jobs at work are taken away too, and what their
 * workers still want to write is refused.
 */
export async function deleteInstallation(store: Store, installationId: number): Promise<void> {
  const guids = JSON.stringify(await findDeliveriesOf(store, installationId));
  const itsDeliveries = sql`select value from json_each(${guids})`;
  const itsRuns = sql`select trace_id from runs where installation_id = ${installationId}`;
  // Of an environment that nothing was deployed to there may be what production told of it, and no run.
  const itsEnvironments = sql`
    select subject_key from feedback_counts where installation_id = ${installationId}
    union select subject_key from feedback_days where installation_id = ${installationId}`;
  // The log of a subject begins with a comment, an end, tests or a verdict, each of which names it; what is learnt follows on a run.
  const itsSubjects = sql`
    select trace_id from events where version = 1 and type in ('comment.taken', 'subject.closed', 'tests.requested', 'head.judged')
      and json_extract(payload, '$.subject.repository.installationId') = ${installationId}
    union select subject_key from runs where installation_id = ${installationId}
    union select subject_key from effects where installation_id = ${installationId}
    union ${itsEnvironments}`;
  // What models did for questions is kept in a log for each comment, which names the comment only; for tests in one that the request names.
  const itsQuestions = sql`
    select 'ask:' || json_extract(payload, '$.source.kind') || ':' || json_extract(payload, '$.source.id') from events
    where type = 'comment.taken' and trace_id in (${itsSubjects})
    union select json_extract(payload, '$.traceId') from events
    where type = 'tests.requested' and trace_id in (${itsSubjects})`;
  const itsFixes = sql`
    select 'fix:' || json_extract(payload, '$.source.kind') || ':' || json_extract(payload, '$.source.id') || '#'
      || json_extract(payload, '$.index') from events
    where type = 'command.received' and trace_id in (${itsSubjects})`;
  await store.queue.alone([
    statement(sql`
      delete from jobs where run_id in (${itsRuns})
        or json_extract(payload, '$.subject.repository.installationId') = ${installationId}
        or json_extract(payload, '$.deliveryId') in (${itsDeliveries})`),
    statement(sql`delete from delivery_parts where guid in (${itsDeliveries})`),
    statement(sql`delete from deliveries where guid in (${itsDeliveries})`),
    statement(sql`delete from findings where installation_id = ${installationId}`),
    statement(sql`delete from checkpoints where trace_id in (${itsRuns}) or trace_id in (${itsQuestions})`),
    statement(sql`delete from work_trees where trace_id in (${itsRuns}) or trace_id in (${itsFixes})`),
    statement(sql`delete from folded_logs where trace_id in (${itsSubjects})`),
    statement(sql`delete from events where trace_id in (${itsQuestions})`),
    statement(sql`delete from events where trace_id in (${itsRuns}) or trace_id in (${itsSubjects})`),
    statement(sql`delete from effects where installation_id = ${installationId} or run_id in (${itsRuns})`),
    statement(sql`delete from dismissals where installation_id = ${installationId}`),
    statement(sql`delete from hidings where installation_id = ${installationId}`),
    statement(sql`delete from pauses where installation_id = ${installationId}`),
    statement(sql`delete from levels where installation_id = ${installationId}`),
    statement(sql`delete from run_outcomes where installation_id = ${installationId}`),
    statement(sql`delete from level_actions where installation_id = ${installationId}`),
    statement(sql`delete from memories where installation_id = ${installationId}`),
    statement(sql`delete from memory_changes where installation_id = ${installationId}`),
    statement(sql`delete from patterns where installation_id = ${installationId}`),
    // The bounds are those of everything that begins with the installation's number.
    statement(
      sql`delete from events where trace_id >= ${`memory:${installationId}:`} and trace_id < ${`memory:${installationId};`}`,
    ),
    statement(sql`delete from memory_scopes where installation_id = ${installationId}`),
    statement(sql`delete from runs where installation_id = ${installationId}`),
    statement(sql`delete from configurations where installation_id = ${installationId}`),
    // Each begins with the environment that it is about.
    statement(sql`
      delete from feedback_messages where id in (
        select id from feedback_messages join (${itsEnvironments}) as there
        on id >= there.subject_key || ':' and id < there.subject_key || ';')`),
    statement(sql`delete from feedback_counts where installation_id = ${installationId}`),
    statement(sql`delete from feedback_days where installation_id = ${installationId}`),
    statement(sql`delete from spend where installation_id = ${installationId}`),
    statement(sql`delete from writes where installation_id = ${installationId}`),
    statement(sql`delete from write_pauses where installation_id = ${installationId}`),
  ]);
}

const GUIDS_PER_READ = 1_000;

/** The GUIDs of all deliveries of an installation. Reads every body, 0.1 ms each: for rare occasions. */
async function findDeliveriesOf(store: Store, installationId: number): Promise<string[]> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const page = await reading(
      store.read
        .select({ guid: deliveries.guid })
        .from(deliveries)
        .where(gt(deliveries.guid, after))
        .orderBy(asc(deliveries.guid))
        .limit(GUIDS_PER_READ),
    );
    for (const { guid } of page) {
      const delivery = await readDelivery(store, guid);
      if (delivery && installationOf(delivery.body) === installationId) found.push(guid);
    }
    if (page.length < GUIDS_PER_READ) return found;
    after = page.at(-1)!.guid;
  }
}

/** The body is what was signed, which need not be JSON. */
function installationOf(body: Buffer): unknown {
  try {
    const payload = JSON.parse(body.toString()) as { installation?: { id?: unknown } } | null;
    return payload?.installation?.id;
  } catch {
    return undefined;
  }
}
