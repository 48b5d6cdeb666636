import { and, asc, count, desc, eq, gt, inArray, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import { type MemoryScope, type NewMemory, type Pattern, PatternReplay, type PutAway } from "../../domain/memories.ts";
import { events, memories, memoryChanges, memoryScopes, patterns, runs } from "../schema.ts";
import { portions, type Statement, statement } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { memoryFrom, repositoryOf, type StoredMemory, WITHOUT_VECTOR } from "./memory-row.ts";
import { changeMemories, SEEN, settled } from "./write-memories.ts";

/** The log of what was done to the memories of a scope; `deleteInstallation` deletes those that begin so. */
export function memoryLog(scope: MemoryScope): string {
  return `memory:${scope.installationId}:${repositoryOf(scope)}`;
}

/** The scopes that were not consolidated since a moment, the longest waiting first; one whose last time is after `now` by a clock that went back too. */
export async function listDueScopes(
  store: Store,
  { before, now, limit }: { readonly before: string; readonly now: string; readonly limit: number },
): Promise<MemoryScope[]> {
  const at = sql`coalesce(${memoryScopes.consolidatedAt}, '')`;
  const rows = await reading(
    store.read
      .select({ installationId: memoryScopes.installationId, repositoryId: memoryScopes.repositoryId })
      .from(memoryScopes)
      .where(sql`${at} < ${before} or ${at} > ${now}`)
      .orderBy(asc(at), asc(memoryScopes.installationId), asc(memoryScopes.repositoryId))
      .limit(limit),
  );
  return rows.map(({ installationId, repositoryId }) => ({
    installationId,
    ...(repositoryId === 0 ? {} : { repositoryId }),
  }));
}

/** That a scope was looked through. */
export function consolidatedAt(scope: MemoryScope, at: string): Statement {
  return statement(sql`
    update memory_scopes set consolidated_at = ${at}
    where installation_id = ${scope.installationId} and repository_id = ${repositoryOf(scope)}`);
}

function ofScope(scope: MemoryScope): SQL {
  return and(eq(memories.installationId, scope.installationId), eq(memories.repositoryId, repositoryOf(scope)))!;
}

/** The memories of a scope that are not archived, with their embeddings, from a sequence on and in their order; at most `limit`. */
export async function readActive(
  store: Store,
  scope: MemoryScope,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredMemory[]> {
  const rows = await reading(
    store.read
      .select()
      .from(memories)
      .where(and(ofScope(scope), eq(memories.archived, false), gt(memories.sequence, after)))
      .orderBy(asc(memories.sequence))
      .limit(limit),
  );
  return rows.map(memoryFrom);
}

/** The archived ones of scopes, those that were archived last first; with a query those that have all of its words. */
export async function listPutAway(
  store: Store,
  scopes: readonly MemoryScope[],
  { query, limit }: { readonly query: string | undefined; readonly limit: number },
): Promise<{ readonly items: readonly StoredMemory[]; readonly more: number }> {
  const words = (query ?? "").split(/\s+/).filter((word) => word !== "");
  const having = words.map((word) => sql`instr(lower(${memories.content}), ${word.toLowerCase()}) > 0`);
  const which = and(or(...scopes.map(ofScope)), eq(memories.archived, true), ...having);
  const [counted] = await reading(store.read.select({ count: count() }).from(memories).where(which));
  const rows = await reading(
    store.read
      .select(WITHOUT_VECTOR)
      .from(memories)
      .where(which)
      .orderBy(desc(sql`json_extract(${memories.putAway}, '$.at')`), desc(memories.sequence))
      .limit(limit),
  );
  const items = rows.map(memoryFrom);
  return { items, more: (counted?.count ?? 0) - items.length };
}

/** Refuses all of a transaction when one of these is not as it was read: used, changed, archived or deleted since. */
function guardUnchanged(read: readonly Pick<StoredMemory, "sequence" | "lastUsedAt" | "confidence">[]): Statement {
  const asRead = JSON.stringify(read.map(({ sequence, lastUsedAt, confidence }) => [sequence, lastUsedAt, confidence]));
  return statement(
    sql`insert into guards (passed) select 0 from json_each(${asRead}) r where not exists (
          select 1 from memories where sequence = r.value ->> 0 and archived = 0 and last_used_at = r.value ->> 1
            and confidence = r.value ->> 2) limit 1`,
    movedOn,
  );
}

function movedOn(): ForgeError {
  return new ForgeError("memories_moved_on", "A memory has changed since it was read: decide again.", {
    source: "resource",
    severity: "low",
    recoverability: "auto",
  });
}

/** Archives memories as they were read, each with its reason; what a pattern among them took the place of is recalled again. */
export function archiveMemories(
  put: readonly { readonly memory: StoredMemory; readonly away: PutAway }[],
): Statement[] {
  return [
    guardUnchanged(put.map(({ memory }) => memory)),
    ...portions(put, ROWS).flatMap((some) => {
      const rows = JSON.stringify(some.map(({ memory, away }) => [memory.sequence, JSON.stringify(away)]));
      const ids = JSON.stringify(some.map(({ memory }) => memory.id));
      return [
        statement(sql`
          update memories set archived = 1, put_away = r.value ->> 1 from json_each(${rows}) r where sequence = r.value ->> 0`),
        statement(
          sql`update memories set replaced_by = null where replaced_by in (select value from json_each(${ids}))`,
        ),
      ];
    }),
  ];
}

const ROWS = 100;

/** Refuses all of a transaction when the scope was deleted with its installation. */
export function guardScope(scope: MemoryScope): Statement {
  return statement(
    sql`insert into guards (passed) select 0 where not exists (select 1 from memory_scopes
          where installation_id = ${scope.installationId} and repository_id = ${repositoryOf(scope)})`,
    movedOn,
  );
}

/** Says of memories which says the same and came first, or none; what is not there any more stays out. */
export function linkMemories(
  links: readonly { readonly sequence: number; readonly to: number | undefined }[],
): Statement[] {
  const rows = JSON.stringify(links.map(({ sequence, to }) => [sequence, to ?? null]));
  return [
    statement(
      sql`update memories set linked_to = r.value ->> 1 from json_each(${rows}) r where sequence = r.value ->> 0`,
    ),
  ];
}

/**
 * Brings an archived memory back: it counts as used now, and is believed as what a model learnt at least, so that it does not go again at once.
 * Refused where it is not archived.
 */
export function restoreMemory(
  id: string,
  { at, perWeek, least }: { at: string; perWeek: number; least: number },
): Statement[] {
  return [
    statement(
      sql`insert into guards (passed) select 0 where not exists (select 1 from memories where id = ${id} and archived = 1)`,
      () =>
        new ForgeError("memory_not_archived", `${id} is not put away.`, {
          source: "validation",
          recoverability: "manual",
        }),
    ),
    statement(sql`
      update memories set archived = 0, put_away = null, restored_at = ${at}, updated_at = ${at},
        confidence = max(${least}, ${settled(perWeek, 0, at)}), last_used_at = max(last_used_at, ${at})
      where id = ${id}`),
  ];
}

/** In how many runs memories were seen, by id: their causes of `seen:`, which name the run. */
export async function readSightings(store: Store, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>();
  for (const some of portions(ids)) {
    const rows = await reading(
      store.read
        .select({ id: memoryChanges.memoryId, cause: memoryChanges.cause })
        .from(memoryChanges)
        .where(and(inArray(memoryChanges.memoryId, some), sql`${memoryChanges.cause} like ${`${SEEN}%`}`)),
    );
    for (const { id, cause } of rows) seen.set(id, (seen.get(id) ?? new Set()).add(cause.slice(SEEN.length)));
  }
  return seen;
}

/** The patterns of a scope, whatever became of them. */
export async function readPatterns(store: Store, scope: MemoryScope): Promise<Pattern[]> {
  const rows = await reading(
    store.read
      .select()
      .from(patterns)
      .where(and(eq(patterns.installationId, scope.installationId), eq(patterns.repositoryId, repositoryOf(scope)))),
  );
  return rows.map(({ installationId: _in, repositoryId: _of, at: _at, successRate, episodes, replay, ...pattern }) => ({
    ...pattern,
    scope,
    episodes: z.array(z.string()).parse(JSON.parse(episodes)),
    ...defined({ successRate: successRate ?? undefined }),
    ...(replay === null ? {} : { replay: PatternReplay.parse(JSON.parse(replay)) }),
  }));
}

/** Proposes a pattern, or writes what became of it; where it stands it is recalled in the place of its episodes, as `memory`. Refused where people had it deleted, or an episode. */
export function putPattern(pattern: Pattern, at: string, memory?: NewMemory): Statement[] {
  const { id, scope, episodes } = pattern;
  const ids = JSON.stringify(episodes);
  return [
    statement(
      sql`insert into guards (passed) select 0 where exists (select 1 from patterns where id = ${id} and state = 'forgotten')
            or (select count(*) from memories where id in (select value from json_each(${ids}))) < ${episodes.length}`,
      movedOn,
    ),
    statement(sql`
      insert or replace into patterns (id, installation_id, repository_id, state, kind, trigger, pattern, resolution, frequency,
        success_rate, confidence, last_seen_at, episodes, replay, at)
      values (${id}, ${scope.installationId}, ${repositoryOf(scope)}, ${pattern.state}, ${pattern.kind}, ${pattern.trigger},
        ${pattern.pattern}, ${pattern.resolution}, ${pattern.frequency}, ${pattern.successRate ?? null}, ${pattern.confidence},
        ${pattern.lastSeenAt}, ${ids}, ${pattern.replay ? JSON.stringify(pattern.replay) : null}, ${at})`),
    ...(memory ? changeMemories([{ kind: "stored", memory }], at) : []),
    ...(pattern.state === "standing"
      ? [statement(sql`update memories set replaced_by = ${id} where id in (select value from json_each(${ids}))`)]
      : []),
  ];
}

/** One recall of a stored run, with what became of the memories of its subject. */
export interface StoredRecall {
  readonly query: string;
  readonly items: readonly { readonly memoryId: string; readonly similarity: number }[];
  /** Ids of those that helped, and of those that something rested on which was dismissed. */
  readonly helped: ReadonlySet<string>;
  readonly dismissed: ReadonlySet<string>;
}

const RUNS_PER_READ = 20;
const Recalled = z.object({
  query: z.string(),
  items: z.array(z.object({ memoryId: z.string(), similarity: z.number() })),
});
const Applied = z.object({ memoryIds: z.array(z.string()), use: z.string() });

/** The recalls of a repository's newest runs, at most `mostRuns` of these, the newest run first. */
export async function readRecalls(store: Store, repositoryId: number, mostRuns: number): Promise<StoredRecall[]> {
  const known = await reading(
    store.read
      .select({ run: runs.traceId, subject: runs.subjectKey })
      .from(runs)
      .where(eq(runs.repositoryId, repositoryId))
      .orderBy(desc(runs.startedAt), desc(runs.traceId))
      .limit(mostRuns),
  );
  const found: StoredRecall[] = [];
  for (const some of portions(known, RUNS_PER_READ)) {
    const logs = [...new Set(some.flatMap(({ run, subject }) => [run, subject]))];
    const rows = await reading(
      store.read
        .select({ traceId: events.traceId, type: events.type, payload: events.payload })
        .from(events)
        .where(and(inArray(events.traceId, logs), inArray(events.type, ["memory.recalled", "memory.applied"])))
        .orderBy(asc(events.traceId), asc(events.version)),
    );
    for (const { run, subject } of some) {
      const applied = rows
        .filter(({ type, traceId }) => type === "memory.applied" && (traceId === run || traceId === subject))
        .map(({ payload }) => Applied.parse(JSON.parse(payload)));
      const idsOf = (isWanted: (use: string) => boolean) =>
        new Set(applied.flatMap(({ memoryIds, use }) => (isWanted(use) ? memoryIds : [])));
      const [helped, dismissed] = [idsOf((use) => use !== "dismissed"), idsOf((use) => use === "dismissed")];
      for (const { type, traceId, payload } of rows) {
        if (type !== "memory.recalled" || traceId !== run) continue;
        found.push({ ...Recalled.parse(JSON.parse(payload)), helped, dismissed });
      }
    }
  }
  return found;
}
