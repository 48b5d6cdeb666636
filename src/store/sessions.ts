import { and, gt, inArray, sql } from "drizzle-orm";
import { sessions } from "./schema.ts";
import { statement } from "./statement.ts";
import { reading } from "./storage-error.ts";
import type { Store } from "./store.ts";

/** A person who is signed in; `endsAt` is ISO 8601. */
export type Session = typeof sessions.$inferSelect;

/** Keeps a session, and puts away those that have ended. */
export async function addSession(store: Store, session: Omit<Session, "accessVersion">, now: string): Promise<void> {
  const { idHash, personId, login, token, endsAt } = session;
  await store.queue.alone([
    statement(sql`delete from sessions where ends_at <= ${now}`),
    statement(sql`
      insert into sessions (id_hash, person_id, login, token, ends_at)
      values (${idHash}, ${personId}, ${login}, ${token}, ${endsAt})`),
  ]);
}

/** Those of these that there are, and whose time is not over, by their hash. */
export async function readSessions(
  store: Store,
  idHashes: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, Session>> {
  const rows = await reading(
    store.read
      .select()
      .from(sessions)
      .where(and(inArray(sessions.idHash, [...idHashes]), gt(sessions.endsAt, now))),
  );
  return new Map(rows.map((row) => [row.idHash, row]));
}

export async function endSession(store: Store, idHash: string): Promise<void> {
  await store.queue.together([statement(sql`delete from sessions where id_hash = ${idHash}`)]);
}

/** Signs a person out everywhere: they took back what they let the App do for them. */
export async function endSessionsOf(store: Store, personId: number): Promise<void> {
  await store.queue.together([statement(sql`delete from sessions where person_id = ${personId}`)]);
}

/** Has what people see read anew. */
export async function raiseAccessVersions(store: Store): Promise<void> {
  await store.queue.together([statement(sql`update sessions set access_version = access_version + 1`)]);
}
