import type { MakeId } from "../domain/ids.ts";
import type { MemoryScope } from "../domain/memories.ts";
import type { Redact } from "../safety/redact.ts";
import { awaitsWork } from "../store/jobs/read-jobs.ts";
import { listDueScopes } from "../store/memories/consolidation.ts";
import { listOutdatedEmbeddings, setEmbeddings } from "../store/memories/write-memories.ts";
import type { Store } from "../store/store.ts";
import { type Consolidated, consolidate } from "./consolidate.ts";
import { normalised } from "./endpoint-embedding.ts";
import { type RecallQuestion, wordsOf } from "./find-candidates.ts";
import { knownHere } from "./known-here.ts";
import type { Lesson } from "./lesson.ts";
import type { Embedder, EstimateTokens } from "./ports.ts";
import { type Recall, recall } from "./recall.ts";
import { embeddedText, prepareMemory, type Remembered, remember } from "./remember.ts";
import { createVectorCache } from "./vector-cache.ts";

/** Room for 100,000 memories of the built-in method with what is known of them. */
const CACHE_BYTES = 192 * 1024 * 1024;

export interface MemoryOptions {
  readonly store: Store;
  readonly redact: Redact;
  /** Tokens of a text in a prompt. */
  readonly estimateTokens: EstimateTokens;
  /** Without one the built-in method, which needs neither model nor network (MEM-5). */
  readonly embedder?: Embedder;
  readonly cacheBytes?: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly now?: () => string;
}

/** The memory of Forge. What it returns as `event` is for the caller to append to his run. */
export interface Memory {
  /** @throws ForgeError `memory_invalid`. */
  readonly remember: (lesson: Lesson, signal?: AbortSignal) => Promise<Remembered>;
  readonly recall: (question: RecallQuestion) => Promise<Recall>;
  /** For a decision to store. @throws ForgeError `memory_invalid`. */
  readonly prepare: (lesson: Lesson, signal?: AbortSignal) => ReturnType<typeof prepareMemory>;
  readonly knownHere: (asked: Parameters<typeof knownHere>[1]) => ReturnType<typeof knownHere>;
  /** Tidies the memories of a scope (MEM-4). */
  readonly consolidate: (scope: MemoryScope, makeId: MakeId, signal: AbortSignal) => ReturnType<typeof consolidate>;
  /** Embeds up to `batch` memories that lack an embedding of the present method; gives how many. */
  readonly renewEmbeddings: (batch: number, signal?: AbortSignal) => Promise<number>;
}

export function openMemory(options: MemoryOptions): Memory {
  const { store, redact, estimateTokens, embedder = localEmbedder(), cacheBytes = CACHE_BYTES } = options;
  const now = options.now ?? (() => new Date().toISOString());
  const { method, dimensions } = embedder;
  const vectors = createVectorCache({ store, method, dimensions, maximumBytes: cacheBytes });
  const dependencies = { store, redact, estimateTokens, embedder, vectors, now };
  return {
    remember: (lesson, signal) => remember(dependencies, lesson, signal),
    recall: (question) => recall(dependencies, question),
    prepare: (lesson, signal) => prepareMemory(dependencies, lesson, signal),
    knownHere: (asked) => knownHere(dependencies, asked),
    consolidate: (scope, makeId, signal) => consolidate({ store, embedder, now, makeId }, scope, signal),
    renewEmbeddings: (batch, signal) => renewEmbeddings(dependencies, batch, signal),
  };
}

/**
 * Embeds up to `batch` memories that have no embedding of the present method (MEM-5). Called in the background until it gives 0: how many
 * were embedded.
 * @throws what the embedder throws: nothing was changed then.
 */
export async function renewEmbeddings(
  { store, embedder }: { readonly store: Store; readonly embedder: Embedder },
  batch: number,
  signal?: AbortSignal,
): Promise<number> {
  const outdated = await listOutdatedEmbeddings(store, embedder.method, batch);
  if (outdated.length === 0) return 0;
  const vectors = await embedder.embed(outdated.map(embeddedText), signal);
  const renewed = outdated.flatMap((memory, at) => {
    const vector = vectors[at];
    return vector === undefined ? [] : [{ memory, embedding: { method: embedder.method, vector } }];
  });
  await setEmbeddings(store, renewed);
  return renewed.length;
}

const DIMENSIONS = 256;
const SHORTEST = 3;
const LONGEST = 4;
/** Texts about different things reach this by chance. */
const NOISE = 0.2;

/**
 * The built-in embedding, without model or network (MEM-5): words and the pieces of 3 and 4 characters in them, hashed into a vector with
 * signs. Words that share a stem or were joined or misspelt still share most of their pieces.
 */
export function localEmbedder(): Embedder {
  return {
    method: `local-1:${DIMENSIONS}`,
    dimensions: DIMENSIONS,
    noise: NOISE,
    embed: (texts) => Promise.resolve(texts.map(embedLocally)),
  };
}

function embedLocally(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of new Set(wordsOf(text))) addWord(vector, word);
  return normalised(vector);
}

/** The more pieces, the less each weighs: long words do not drown short ones. */
function addWord(vector: Float32Array, word: string): void {
  const padded = `<${word}>`;
  const places: number[] = [];
  for (let length = SHORTEST; length <= LONGEST; length += 1) {
    for (let start = 0; start + length <= padded.length; start += 1) places.push(hash(padded, start, start + length));
  }
  const weight = 1 / Math.sqrt(places.length);
  for (const place of places) add(vector, place, weight);
  add(vector, hash(`=${padded}`, 0, padded.length + 1), weight);
}

function add(vector: Float32Array, hashed: number, weight: number): void {
  const place = hashed % DIMENSIONS;
  vector[place] = vector[place]! + (hashed & 0x40000000 ? weight : -weight);
}

/** FNV-1a over the UTF-16 units from `start` to `end`, then mixed, so that the lowest bits depend on all of them. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}

export interface TidyDependencies {
  readonly store: Store;
  readonly memory: Pick<Memory, "consolidate">;
  /** ISO 8601, UTC, milliseconds. */
  readonly now: () => string;
  readonly makeId: MakeId;
}

const DAY_MS = 86_400_000;
/** Scopes of one turn: a hundred repositories of one organisation have had theirs after an hour. */
const MOST_SCOPES = 20;
/** Scopes that are due and looked at; those with work are passed over. */
const MOST_DUE = 1_000;

/**
 * Tidies the memories that were not tidied for a day (MEM-4), one repository at a time, the longest waiting first. A repository with work at hand
 * has its turn later.
 * @throws what the first that failed threw, after all had their turn
 * @returns what came of it, for the log; undefined when there was nothing to do
 */
export async function tidyMemories({ store, memory, now, makeId }: TidyDependencies, signal: AbortSignal) {
  const at = now();
  const before = new Date(Date.parse(at) - DAY_MS).toISOString();
  const done: Consolidated[] = [];
  const failures: unknown[] = [];
  for (const scope of await listDueScopes(store, { before, now: at, limit: MOST_DUE })) {
    if (signal.aborted || done.length + failures.length === MOST_SCOPES) break;
    if (await isBusy(store, scope, now())) continue;
    // The others have their turn all the same.
    await memory.consolidate(scope, makeId, signal).then(
      (one) => done.push(one),
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0 && !signal.aborted) throw failures[0];
  const sum = (of: (one: Consolidated) => number) => done.reduce((total, one) => total + of(one), 0);
  return done.length === 0
    ? undefined
    : {
        scopes: done.length,
        linked: sum(({ linked }) => linked),
        pruned: sum(({ pruned }) => pruned),
        archived: sum(({ archived }) => archived),
        promoted: sum(({ promoted }) => promoted),
      };
}

async function isBusy(store: Store, { repositoryId }: MemoryScope, now: string): Promise<boolean> {
  return repositoryId !== undefined && (await awaitsWork(store, repositoryId, now));
}
