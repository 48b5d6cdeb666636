import { sql } from "drizzle-orm";
import type { MemoryScope, MemoryType } from "../domain/memories.ts";
import { repositoryOf } from "./memory-row.ts";
import { reading } from "./reading.ts";
import type { Store } from "./store.ts";

/**
 * How many matches one ranking may have to weigh: about 20 ms, during which the event loop stands still. Of the words of a question the
 * rarest are kept until their matches reach it, for a word that is everywhere tells nothing apart.
 */
const MATCHES = 20_000;

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
  for (const word of words) counted.push({ word, count: await countMatches(store, word) });
  counted.sort((a, b) => a.count - b.count);
  let matches = 0;
  const beyond = counted.findIndex(({ count }) => {
    matches += count;
    return matches > MATCHES;
  });
  return counted.slice(0, beyond === -1 ? counted.length : beyond).map(({ word }) => word);
}

/** Counts no further than it has to. */
async function countMatches(store: Store, word: string): Promise<number> {
  const [row] = await reading(
    store.read.all<{ count: number }>(sql`
      select count(*) as count from (select 1 from memory_words where memory_words match ${anyOf([word])} limit ${MATCHES + 1})`),
  );
  return Number(row?.count ?? 0);
}

function anyOf(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" OR ");
}
