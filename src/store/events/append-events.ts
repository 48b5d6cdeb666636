import { inArray, sql } from "drizzle-orm";
import { ForgeError } from "../../domain/errors.ts";
import { GENESIS, type NewEvent, type RunEvent, sealEvent } from "../../domain/events.ts";
import type { MakeId } from "../../domain/ids.ts";
import { redactStringsInTurns } from "../../safety/redact-value.ts";
import { type Fence, guardFence } from "../jobs/fence.ts";
import { events } from "../schema.ts";
import { portions, type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";

export interface Append {
  readonly traceId: string;
  /** How many events the run had when this was decided; 0 for a new run. */
  readonly expectedVersion: number;
  readonly events: readonly NewEvent[];
}

/**
 * Gives events their place in the chain of their run, continued from what is stored.
 * @throws ForgeError `version_conflict` when a run is not where the decision saw it.
 */
export async function sealAppends(store: Store, appends: readonly Append[], seal: Sealing): Promise<RunEvent[]> {
  const ends = await readEnds(
    store,
    appends.map(({ traceId }) => traceId),
  );
  const sealed: RunEvent[] = [];
  for (const { traceId, expectedVersion, events: fresh } of appends) {
    const end = ends.get(traceId) ?? { version: 0, hash: GENESIS };
    if (end.version !== expectedVersion) throw versionConflict(traceId);
    sealed.push(...chain(traceId, await redactStringsInTurns(fresh, store.redact), end, seal));
  }
  return sealed;
}

/** The last event of a log, as far as the next one has to know it. */
export interface LogEnd {
  readonly version: number;
  readonly hash: string;
}

/** The same for events that take their place wherever the log ends now. */
export async function sealNext(
  store: Store,
  traceId: string,
  fresh: readonly NewEvent[],
  seal: Sealing,
  known?: LogEnd,
): Promise<RunEvent[]> {
  if (fresh.length === 0) return [];
  const end = known ?? (await readEnds(store, [traceId])).get(traceId) ?? { version: 0, hash: GENESIS };
  return chain(traceId, await redactStringsInTurns(fresh, store.redact), end, seal);
}

interface Sealing {
  readonly at: string;
  readonly source: string;
  readonly makeId: MakeId;
}

function chain(traceId: string, fresh: readonly NewEvent[], end: LogEnd, { at, source, makeId }: Sealing): RunEvent[] {
  let { version, hash: previousHash } = end;
  return fresh.map((event) => {
    version += 1;
    const sealed = sealEvent(event, { id: makeId(), traceId, version, at, source, previousHash });
    previousHash = sealed.hash;
    return sealed;
  });
}

/** The unique version refuses these when the run has moved on since it was read. */
export function insertEvents(sealed: readonly RunEvent[]): Statement[] {
  return portions(sealed).map((portion) =>
    statement(
      sql`insert into events
          (id, trace_id, version, at, source, type, payload, phase, actor, duration_ms, cost, previous_hash, hash)
          values ${sql.join(portion.map(row), sql`, `)}`,
      () => versionConflict(portion[0]!.traceId),
    ),
  );
}

export function versionConflict(traceId: string): ForgeError {
  return new ForgeError("version_conflict", `Run ${traceId} has moved on since it was read: decide again.`, {
    source: "resource",
    severity: "warning",
    recoverability: "auto",
    context: { traceId },
  });
}

function row(event: RunEvent) {
  const { id, traceId, version, at, source, type, payload, phase, actor, durationMs, cost, previousHash, hash } = event;
  return sql`(${id}, ${traceId}, ${version}, ${at}, ${source}, ${type}, ${JSON.stringify(payload)}, ${phase ?? null},
    ${json(actor)}, ${durationMs ?? null}, ${json(cost)}, ${previousHash}, ${hash})`;
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

async function readEnds(
  store: Store,
  traceIds: readonly string[],
): Promise<Map<string, { version: number; hash: string }>> {
  if (traceIds.length === 0) return new Map();
  // SQLite takes the other columns from the row that has the maximum.
  const rows = await reading(
    store.read
      .select({ traceId: events.traceId, version: sql<number>`max(${events.version})`, hash: events.hash })
      .from(events)
      .where(inArray(events.traceId, [...traceIds]))
      .groupBy(events.traceId),
  );
  return new Map(rows.map(({ traceId, version, hash }) => [traceId, { version, hash }]));
}

/** Events that nothing decided: what a worker did and saw while a run was at work. */
export interface Facts {
  readonly traceId: string;
  readonly events: readonly NewEvent[];
  readonly at: string;
  readonly makeId: MakeId;
  readonly source: string;
  readonly fence?: Fence;
}

/** Others write to the log of a run rarely; more conflicts in a row than this are a bug. */
const ATTEMPTS = 20;

/** Where logs ended after our last write: mostly unchanged since, and then it need not be read. */
const ends = new WeakMap<Store, Map<string, LogEnd>>();
const KEPT = 500;

/**
 * Appends facts wherever the log ends now, in one transaction with what belongs to them, and tells the subscribers. It is written before
 * this resolves; whether it survives a power cut is decided a moment later (see `step` of the write queue).
 * @throws ForgeError `lease_lost`, `event_invalid`, `storage_full`, `database_unreachable`, and what `with` refuses
 */
export async function appendFacts(store: Store, facts: Facts, belonging: readonly Statement[] = []): Promise<void> {
  const { traceId, events, fence } = facts;
  const known = ends.get(store) ?? new Map<string, LogEnd>();
  ends.set(store, known);
  for (let attempt = 1; ; attempt += 1) {
    const sealed = await sealNext(store, traceId, events, facts, known.get(traceId));
    known.delete(traceId);
    try {
      await store.queue.step([...(fence ? [guardFence(fence)] : []), ...belonging, ...insertEvents(sealed)]);
    } catch (error) {
      if (attempt < ATTEMPTS && isConflict(error)) continue;
      throw error;
    }
    const last = sealed.at(-1);
    if (last) known.set(traceId, last);
    if (known.size > KEPT) known.delete(known.keys().next().value ?? traceId);
    for (const event of sealed) for (const hear of [...store.eventListeners]) hear(event);
    return;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ForgeError && error.code === versionConflict("").code;
}
