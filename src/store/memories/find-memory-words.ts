import { sql } from "drizzle-orm";
import type { MemoryScope, MemoryType } from "../../domain/memories.ts";
import { portions } from "../statement.ts";
import { reading } from "../storage-error.ts";
import type { Store } from "../store.ts";
import { repositoryOf } from "./memory-row.ts";

/**
 * How many matches one ranking may have to weigh: about 5 ms, during which the event loop stands still. Of the words of a question the
 * rarest are kept until their matches reach it, for a word that is everywhere tells nothing apart.
 */
const MATCHES = 5_000;
/** In one statement: each takes up to half a millisecond. */
const WORDS_PER_COUNT = 12;

export interface WordsQuestion {
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
