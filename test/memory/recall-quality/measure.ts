import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { z } from "zod";
import { openMemory } from "../../../src/memory/open-memory.ts";
import { closeStore, openStore } from "../../../src/store/open-store.ts";

/** Written before the ranking was (see the history of this folder): neither may be changed to suit it. */
const Notes = z.array(z.object({ id: z.string(), content: z.string(), keywords: z.array(z.string()) }));
const Questions = z.array(z.object({ note: z.string(), question: z.string() }));

export interface Quality {
  /** Share of the questions whose note is among the first five. */
  readonly recallAt5: number;
  readonly recallAt1: number;
  /** Mean of 1 ÷ place. */
  readonly meanReciprocalRank: number;
  /** Recall@5 where the question shares no word, not even by stem, with its note; how many those are. */
  readonly strangers: { readonly recallAt5: number; readonly count: number };
}

export interface QualityTable {
  readonly porterAlone: Quality;
  readonly porterWithKeywords: Quality;
  readonly recallWithoutKeywords: Quality;
  readonly recallWithKeywords: Quality;
}

export async function measureQuality(folder: string): Promise<QualityTable> {
  return {
    porterAlone: await quality(await porter(false)),
    porterWithKeywords: await quality(await porter(true)),
    recallWithoutKeywords: await ours(join(folder, "without.db"), false),
    recallWithKeywords: await ours(join(folder, "with.db"), true),
  };
}

type Ask = (question: string) => Promise<string[]>;

async function ours(file: string, withKeywords: boolean): Promise<Quality> {
  const store = await openStore({ url: `file:${file}` });
  const memory = openMemory({ store, redact: (text) => text, estimateTokens: (text) => text.length / 4 });
  const scope = { installationId: 1, repositoryId: 1 };
  const notes = new Map<string, string>();
  for (const { id, content, keywords } of readNotes()) {
    const lesson = {
      scope,
      type: "semantic",
      origin: "model",
      content,
      keywords: withKeywords ? keywords : [],
    } as const;
    notes.set((await memory.remember(lesson)).id, id);
  }
  const measured = await quality(async (text) => {
    const { items } = await memory.recall({ scope, text, purpose: "task", budgetTokens: 10_000 });
    return items.map(({ id }) => notes.get(id)!);
  });
  await closeStore(store);
  return measured;
}

/** The baseline: FTS5 with its porter stemmer, any of the question's words, BM25. */
async function porter(withKeywords: boolean): Promise<Ask> {
  const client = createClient({ url: ":memory:" });
  await client.execute(
    "create virtual table words using fts5(id unindexed, content, keywords, tokenize='porter unicode61')",
  );
  for (const { id, content, keywords } of readNotes()) {
    await client.execute({
      sql: "insert into words values (?, ?, ?)",
      args: [id, content, withKeywords ? keywords.join(" ") : ""],
    });
  }
  return async (question) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
    const { rows } = await client.execute({
      sql: "select id from words where words match ? order by rank limit 10",
      args: [words.map((word) => `"${word}"`).join(" OR ")],
    });
    return rows.map(({ id }) => String(id));
  };
}

async function quality(ask: Ask): Promise<Quality> {
  const questions = readQuestions();
  const strange = await strangers();
  const places: { place: number; strange: boolean }[] = [];
  for (const { note, question } of questions) {
    places.push({ place: (await ask(question)).indexOf(note) + 1, strange: strange.has(question) });
  }
  const share = (of: readonly { place: number }[], most: number) =>
    of.filter(({ place }) => place > 0 && place <= most).length / of.length;
  const strangePlaces = places.filter((one) => one.strange);
  return {
    recallAt5: share(places, 5),
    recallAt1: share(places, 1),
    meanReciprocalRank: places.reduce((sum, { place }) => sum + (place > 0 ? 1 / place : 0), 0) / places.length,
    strangers: { recallAt5: share(strangePlaces, 5), count: strangePlaces.length },
  };
}

const SMALL_WORDS = new Set(
  "a an and are at be by can do does for from has have how i in is it its may my no not of on one or our should so that the to we what when where which who why with".split(
    " ",
  ),
);

/** Questions that share no word with what their note says, by the stemmer's own judgement; small words do not count. */
async function strangers(): Promise<Set<string>> {
  const client = createClient({ url: ":memory:" });
  await client.execute("create virtual table words using fts5(id unindexed, content, tokenize='porter unicode61')");
  for (const { id, content } of readNotes()) {
    await client.execute({ sql: "insert into words values (?, ?)", args: [id, content] });
  }
  const found = new Set<string>();
  for (const { note, question } of readQuestions()) {
    const words = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !SMALL_WORDS.has(word));
    const { rows } = await client.execute({
      sql: "select 1 from words where words match ? and id = ?",
      args: [words.map((word) => `"${word}"`).join(" OR "), note],
    });
    if (rows.length === 0) found.add(question);
  }
  return found;
}

function readNotes(): z.infer<typeof Notes> {
  return Notes.parse(JSON.parse(readFileSync(new URL("notes.json", import.meta.url), "utf8")));
}

function readQuestions(): z.infer<typeof Questions> {
  return Questions.parse(JSON.parse(readFileSync(new URL("questions.json", import.meta.url), "utf8")));
}
