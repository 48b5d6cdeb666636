import type { InValue, ResultSet } from "@libsql/client";
import type { Statement } from "../statement.ts";
import type { Acceptance, NewDelivery } from "../store.ts";

/*
 * The commit of a group of deliveries. The text of its statements never changes and a group is two arguments, a list in JSON and the packed
 * bodies one behind the other: with placeholders for every row SQLite spent as long on reading the statement as on carrying it out.
 */

/** A delivery with its body as it is stored: see delivery-body.ts. */
export type PackedDelivery = Omit<NewDelivery, "body"> & { readonly parts: readonly Buffer[] };

/**
 * Before the rows, because only a GUID that has no row yet gets a job: the job of an old one may be done and gone. The deliveries of a door for
 * feedback have one key, the event: one of them is at work at a time (PROD-3).
 */
const ADD_JOBS = `
  insert into jobs (kind, key, payload, priority, run_at, state)
  select iif(value ->> 1 like 'feedback.%', 'feedback', 'delivery'),
    iif(value ->> 1 like 'feedback.%', value ->> 1, 'delivery:' || (value ->> 0)),
    json_object('deliveryId', value ->> 0), 0, value ->> 3, 'queued'
  from json_each(?) where value ->> 0 not in (select guid from deliveries)`;

const ADD_PART = `
  insert into delivery_parts (guid, part, body)
  select ?, ?, ? where not exists (select 1 from deliveries where guid = ?)`;

const ADD_ROWS = `
  insert into deliveries (guid, event, hook_target_id, received_at, state, body)
  select value ->> 0, value ->> 1, value ->> 2, value ->> 3, 'received', substr(?, value ->> 4, value ->> 5)
  from json_each(?) where true
  on conflict (guid) do nothing returning guid`;

/** The statements that put a group into the inbox. */
export function acceptanceOf(group: readonly PackedDelivery[]): Statement[] {
  const bodies: Buffer[] = [];
  const rows: InValue[][] = [];
  const parts: Statement[] = [];
  let from = 1;
  for (const { guid, event, hookTargetId, receivedAt, parts: packed } of firstOfEach(group)) {
    const [first, ...more] = packed;
    bodies.push(first!);
    rows.push([guid, event, hookTargetId ?? null, receivedAt, from, first!.length]);
    from += first!.length;
    more.forEach((part, index) => {
      parts.push({ sql: ADD_PART, args: [guid, index + 1, part, guid] });
    });
  }
  const list = JSON.stringify(rows);
  return [
    { sql: ADD_JOBS, args: [list] },
    ...parts,
    { sql: ADD_ROWS, args: [bodies.length === 1 ? bodies[0]! : Buffer.concat(bodies), list] },
  ];
}

/** The answers to the group, from the results of its statements: of two with the same GUID the first is the accepted one. */
export function answersFor(group: readonly { readonly guid: string }[], results: readonly ResultSet[]): Acceptance[] {
  const added = new Set(results.at(-1)!.rows.map(({ guid }) => String(guid)));
  return group.map(({ guid }) => (added.delete(guid) ? "accepted" : "duplicate"));
}

function firstOfEach(group: readonly PackedDelivery[]): Iterable<PackedDelivery> {
  const byGuid = new Map<string, PackedDelivery>();
  for (const delivery of group) if (!byGuid.has(delivery.guid)) byGuid.set(delivery.guid, delivery);
  return byGuid.values();
}
