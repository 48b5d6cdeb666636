import { and, asc, count, desc, eq, gt, gte, inArray, lt, or, sql } from "drizzle-orm";
import { defined } from "../../domain/defined.ts";
import type { Embedding, MemoryScope, MemoryType } from "../../domain/memories.ts";
import { memories, memoryScopes } from "../schema.ts";
import { portions } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { memoryFrom, parseTexts, repositoryOf, type StoredMemory, vectorFrom, WITHOUT_VECTOR } from "./memory-row.ts";

/** How often the memories of a scope have changed and been deleted; both only grow, whichever process writes. */
export interface MemoryVersion {
  readonly revision: number;
  readonly deletions: number;
}

/** What a search looks at before it reads a memory. */
export interface MemoryEntry {
  readonly sequence: number;
  readonly revision: number;
  readonly archived: boolean;
  readonly type: MemoryType;
  readonly agentType?: string;
  readonly tags: readonly string[];
  readonly confidence: number;
  readonly expiresAt?: string;
  /** As of a stored memory. */
  readonly group: number;
  readonly replacedBy?: string;
  readonly embedding?: Embedding;
}

/** The version of a scope; undefined where nothing was ever remembered. */
export async function readMemoryVersion(store: Store, scope: MemoryScope): Promise<MemoryVersion | undefined> {
  const [row] = await reading(
    store.read
      .select({ revision: memoryScopes.revision, deletions: memoryScopes.deletions })
      .from(memoryScopes)
      .where(
        and(eq(memoryScopes.installationId, scope.installationId), eq(memoryScopes.repositoryId, repositoryOf(scope))),
      ),
  );
  return row;
}

/** The next memories of a scope, at most `limit`, that changed after `revision`, in the order of their change; archived ones as well. */
export async function readMemoryChanges(
  store: Store,
  scope: MemoryScope,
  { revision, limit }: { readonly revision: number; readonly limit: number },
): Promise<MemoryEntry[]> {
  const rows = await reading(
    store.read
      .select({
        sequence: memories.sequence,
        revision: memories.revision,
        archived: memories.archived,
        type: memories.type,
        agentType: memories.agentType,
        tags: memories.tags,
        confidence: memories.confidence,
        expiresAt: memories.expiresAt,
        embeddingMethod: memories.embeddingMethod,
        embedding: memories.embedding,
        linkedTo: memories.linkedTo,
        replacedBy: memories.replacedBy,
      })
      .from(memories)
      .where(
        and(
          eq(memories.installationId, scope.installationId),
          eq(memories.repositoryId, repositoryOf(scope)),
          gt(memories.revision, revision),
        ),
      )
      .orderBy(asc(memories.revision))
      .limit(limit),
  );
  return rows.map(
    ({ agentType, tags, expiresAt, linkedTo, replacedBy, embeddingMethod: method, embedding, ...entry }) => ({
      ...entry,
      tags: tags === "[]" ? NO_TAGS : parseTexts(tags),
      group: linkedTo ?? entry.sequence,
      ...defined({
        agentType: agentType ?? undefined,
        expiresAt: expiresAt ?? undefined,
        replacedBy: replacedBy ?? undefined,
      }),
      ...(method === null || embedding === null ? {} : { embedding: { method, vector: vectorFrom(embedding) } }),
    }),
  );
}

/** One for all: most memories have none, and a cache holds many. */
const NO_TAGS: readonly string[] = [];

/** The memories with these sequences, in no order and without their embeddings; those that are gone are left out. */
export async function readMemories(store: Store, sequences: readonly number[]): Promise<StoredMemory[]> {
  if (sequences.length === 0) return [];
  const rows = await reading(
    store.read
      .select(WITHOUT_VECTOR)
      .from(memories)
      .where(inArray(memories.sequence, [...sequences])),
  );
  return rows.map(memoryFrom);
}

/** The memories of these scopes that were believed most when they were last used, the newest first among equals, archived ones last. */
export async function listMemories(
  store: Store,
  scopes: readonly MemoryScope[],
  limit: number,
): Promise<StoredMemory[]> {
  const rows = await reading(
    store.read
      .select(WITHOUT_VECTOR)
      .from(memories)
      .where(ofScopes(scopes))
      .orderBy(asc(memories.archived), desc(memories.confidence), desc(memories.sequence))
      .limit(limit),
  );
  return rows.map(memoryFrom);
}

export async function countMemories(store: Store, scopes: readonly MemoryScope[]): Promise<number> {
  const [row] = await reading(store.read.select({ count: count() }).from(memories).where(ofScopes(scopes)));
  return row?.count ?? 0;
}

/** Up to `limit` memories whose id begins so, of a scope or of all; case does not count. */
export async function findMemoriesById(
  store: Store,
  scope: MemoryScope | undefined,
  prefix: string,
  limit: number,
): Promise<StoredMemory[]> {
  const begins = prefix.toUpperCase().replace(/[^0-9A-Z-]/g, "");
  const rows = await reading(
    store.read
      .select(WITHOUT_VECTOR)
      .from(memories)
      .where(and(scope && ofScopes([scope]), gte(memories.id, begins), lt(memories.id, `${begins}~`)))
      .orderBy(asc(memories.id))
      .limit(limit),
  );
  return rows.map(memoryFrom);
}

function ofScopes(scopes: readonly MemoryScope[]) {
  return or(
    ...scopes.map((scope) =>
      and(eq(memories.installationId, scope.installationId), eq(memories.repositoryId, repositoryOf(scope))),
    ),
  );
}

/**
 * How many matches one ranking may have to weigh: about 5 ms, during which the event loop stands still. Of the words of a question the
 * rarest are kept until their matches reach it, for a word that is everywhere tells nothing apart.
 */
const MATCHES = 5_000;
/** In one statement: each takes up to half a millisecond. */
const WORDS_PER_COUNT = 12;

interface WordsQuestion {
  readonly scopes: readonly MemoryScope[];
  readonly types: readonly MemoryType[];
  /** Letters and digits only; looked for by their stems. */
  readonly words: readonly string[];
  readonly limit: number;
}

/** Sequences of the memories that share words with a question, best first by BM25; archived ones are not found. */
export async function findMemoryWords(store: Store, question: WordsQuestion): Promise<number[]> {
  const words = await rareWords(store, [...new Set(question.words)]);
  if (words.length === 0) return [];
  const scopes = question.scopes.map((scope) => `i${scope.installationId}r${repositoryOf(scope)}`);
  const types = question.types.map((type) => `type${type}`);
  const match = `facets : (${anyOf(scopes)}) AND facets : (${anyOf(types)}) AND {content context tags keywords} : (${anyOf(words)})`;
  const rows = await reading(
    store.read.all<{ rowid: number }>(sql`
      select rowid from memory_words where memory_words match ${match}
      order by bm25(memory_words, 0, 1, 0.5, 1, 1) limit ${question.limit}`),
  );
  return rows.map(({ rowid }) => Number(rowid));
}

async function rareWords(store: Store, words: readonly string[]): Promise<readonly string[]> {
  const [row] = await reading(store.read.all<{ last: number | null }>(sql`select max(sequence) as last from memories`));
  if ((row?.last ?? 0) * words.length <= MATCHES) return words;
  const counted: { word: string; count: number }[] = [];
  for (const some of portions(words, WORDS_PER_COUNT)) counted.push(...(await countMatches(store, some)));
  counted.sort((a, b) => a.count - b.count);
  let matches = 0;
  const beyond = counted.findIndex(({ count }) => {
    matches += count;
    return matches > MATCHES;
  });
  return counted.slice(0, beyond === -1 ? counted.length : beyond).map(({ word }) => word);
}

/** How many memories hold each word, counted no further than it matters. */
async function countMatches(store: Store, words: readonly string[]): Promise<{ word: string; count: number }[]> {
  const counts = words.map(
    (word, at) => sql`
      select ${at} as at, count(*) as count
      from (select 1 from memory_words where memory_words match ${anyOf([word])} limit ${MATCHES + 1})`,
  );
  const rows = await reading(store.read.all<{ at: number; count: number }>(sql.join(counts, sql` union all `)));
  return rows.map(({ at, count }) => ({ word: words[Number(at)]!, count: Number(count) }));
}

function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
}

/** How many memories there are, over all scopes. */
export async function countAllMemories(store: Store): Promise<{ readonly active: number; readonly archived: number }> {
  const rows = await reading(
    store.read.select({ archived: memories.archived, count: count() }).from(memories).groupBy(memories.archived),
  );
  const of = (archived: boolean) => rows.find((row) => row.archived === archived)?.count ?? 0;
  return { active: of(false), archived: of(true) };
}
