import { and, eq, sql } from "drizzle-orm";
import type { PlacedEvent } from "../../domain/events.ts";
import { foldedLogs } from "../schema.ts";
import { statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { readEventsFrom } from "./read-events.ts";

/** What a log comes to, event by event. */
export interface Fold<State> {
  /** Names the fold and its version: raised when the same events mean something else. */
  readonly name: string;
  readonly empty: State;
  readonly evolve: (state: State, event: PlacedEvent) => State;
  /** As JSON, and back. */
  readonly write: (state: State) => string;
  readonly read: (written: string) => State;
}

/** What the events up to one of them came to; its hash stands for all that lead to it. */
interface Folded<State> {
  readonly version: number;
  readonly hash: string;
  readonly state: State;
}

/** Logs whose state is kept in memory. */
const KEPT = 24;
/** After so many more events the state is stored again. At most this many events of a log are read, however long it is. */
const STORED_EVERY = 100;

const keptStates = new WeakMap<Store, Map<string, Folded<unknown>>>();

/**
 * What a log comes to, read from where it was folded last: in this process, or as it was stored. Where that does not fit the log, or was
 * made by another version of the fold, all of the log is folded.
 */
export async function readFolded<State>(store: Store, traceId: string, fold: Fold<State>): Promise<State> {
  const kept = keptStates.get(store) ?? new Map<string, Folded<unknown>>();
  keptStates.set(store, kept);
  const key = `${fold.name} ${traceId}`;
  const inMemory = kept.get(key) as Folded<State> | undefined;
  const known = inMemory ?? (await readStored(store, traceId, fold));
  const begun = known && (await goOn(store, traceId, fold, known));
  const folded = begun ?? (await goOn(store, traceId, fold, undefined));
  kept.delete(key);
  if (folded === undefined) return fold.empty;
  kept.set(key, folded);
  for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
  const from = begun ? (known?.version ?? 0) : 0;
  if (Math.floor(folded.version / STORED_EVERY) > Math.floor(from / STORED_EVERY)) {
    await store.queue.together([put(traceId, fold, folded)]);
  }
  return folded.state;
}

/** Folds what follows; undefined where the log is not the one that was folded, or has no event. */
async function goOn<State>(
  store: Store,
  traceId: string,
  { empty, evolve }: Fold<State>,
  known: Folded<State> | undefined,
): Promise<Folded<State> | undefined> {
  const events = await readEventsFrom(store, traceId, known?.version ?? 1);
  if (known && events[0]?.hash !== known.hash) return undefined;
  const later = known ? events.slice(1) : events;
  const last = events.at(-1);
  if (last === undefined) return undefined;
  return { version: last.version, hash: last.hash, state: later.reduce(evolve, known ? known.state : empty) };
}

async function readStored<State>(
  store: Store,
  traceId: string,
  { name, read }: Fold<State>,
): Promise<Folded<State> | undefined> {
  const [row] = await reading(
    store.read
      .select()
      .from(foldedLogs)
      .where(and(eq(foldedLogs.traceId, traceId), eq(foldedLogs.fold, name))),
  );
  return row && { version: row.version, hash: row.hash, state: read(row.state) };
}

function put<State>(traceId: string, { name, write }: Fold<State>, { version, hash, state }: Folded<State>) {
  return statement(sql`
    insert into folded_logs (trace_id, fold, version, hash, state) values (${traceId}, ${name}, ${version}, ${hash}, ${write(state)})
    on conflict (trace_id) do update
      set fold = excluded.fold, version = excluded.version, hash = excluded.hash, state = excluded.state`);
}
