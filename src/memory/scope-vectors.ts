import type { MemoryEntry } from "../store/memories/read-memories.ts";

/** Rows whose vectors lie in one piece of memory. */
const BLOCK_ROWS = 256;

/** About what the facts of a memory take beside its vector. */
const ENTRY_BYTES = 200;

/** Of memories that say the same (MEM-4) so many are looked at: one is recalled, the others step in where its code is gone. */
export const MOST_OF_A_GROUP = 3;

export type Facts = Omit<MemoryEntry, "embedding"> & { readonly comparable: boolean };

export interface Near {
  readonly sequence: number;
  /** Cosine, −1 to 1. */
  readonly similarity: number;
}

/** The vectors of one scope, side by side, with the facts that a search filters by. */
export interface ScopeVectors {
  readonly deletions: number;
  readonly revision: () => number;
  readonly bytes: () => number;
  /** Adds a memory, or replaces what is known of it. */
  readonly put: (entry: MemoryEntry) => void;
  /** Says that everything up to a revision is in. */
  readonly settle: (revision: number) => void;
  readonly factsOf: (sequence: number) => Facts | undefined;
  /** Cosine with a vector of length 1; undefined when there is none to compare with. */
  readonly similarityOf: (sequence: number, vector: Float32Array) => number | undefined;
  /** The memories nearest to a vector of length 1, best first; gives way to others every few milliseconds. */
  readonly nearest: (vector: Float32Array, accept: (facts: Facts) => boolean, limit: number) => Promise<Near[]>;
}

export function createScopeVectors(dimensions: number, deletions: number): ScopeVectors {
  const blocks: Float32Array[] = [];
  const facts: Facts[] = [];
  const places = new Map<number, number>();
  let revision = 0;

  const put = ({ embedding, ...entry }: MemoryEntry) => {
    const place = places.get(entry.sequence) ?? facts.length;
    places.set(entry.sequence, place);
    const comparable = embedding?.vector.length === dimensions;
    facts[place] = { ...entry, comparable };
    if (place === blocks.length * BLOCK_ROWS) blocks.push(new Float32Array(BLOCK_ROWS * dimensions));
    if (comparable) blocks[Math.floor(place / BLOCK_ROWS)]!.set(embedding!.vector, (place % BLOCK_ROWS) * dimensions);
    revision = Math.max(revision, entry.revision);
  };

  const similarityAt = (place: number, vector: Float32Array) =>
    dotProduct(vector, blocks[Math.floor(place / BLOCK_ROWS)]!, (place % BLOCK_ROWS) * dimensions);

  const nearest: ScopeVectors["nearest"] = async (vector, accept, limit) => {
    const breathe = createBreathing();
    const best = createBest(limit);
    // What is added meanwhile belongs to the next search.
    const rows = facts.length;
    for (let place = 0; place < rows; place += 1) {
      if (place % BLOCK_ROWS === 0) await breathe();
      const fact = facts[place]!;
      if (!fact.comparable || !accept(fact)) continue;
      best.offer(fact.sequence, similarityAt(place, vector), fact.group);
    }
    return best.found();
  };

  return {
    deletions,
    revision: () => revision,
    bytes: () => blocks.length * BLOCK_ROWS * dimensions * 4 + facts.length * ENTRY_BYTES,
    put,
    settle: (settled) => {
      revision = Math.max(revision, settled);
    },
    factsOf: (sequence) => facts[places.get(sequence) ?? -1],
    similarityOf: (sequence, vector) => {
      const place = places.get(sequence);
      return place !== undefined && facts[place]!.comparable ? similarityAt(place, vector) : undefined;
    },
    nearest,
  };
}

/** Of a vector and as many numbers of a block from `offset` on: four sums side by side, as the processor can add them at the same time. */
export function dotProduct(vector: Float32Array, block: Float32Array, offset: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = vector.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    a += vector[at]! * block[offset + at]!;
    b += vector[at + 1]! * block[offset + at + 1]!;
    c += vector[at + 2]! * block[offset + at + 2]!;
    d += vector[at + 3]! * block[offset + at + 3]!;
  }
  for (let at = whole; at < vector.length; at += 1) a += vector[at]! * block[offset + at]!;
  return a + b + c + d;
}

function createBest(limit: number) {
  const best: (Near & { readonly group: number })[] = [];
  return {
    offer: (sequence: number, similarity: number, group: number) => {
      if (best.length === limit && similarity <= best[limit - 1]!.similarity) return;
      const same = best.filter((one) => one.group === group);
      if (same.length === MOST_OF_A_GROUP) {
        const last = same.at(-1)!;
        if (similarity <= last.similarity) return;
        best.splice(best.indexOf(last), 1);
      }
      let place = best.length;
      while (place > 0 && best[place - 1]!.similarity < similarity) place -= 1;
      best.splice(place, 0, { sequence, similarity, group });
      if (best.length > limit) best.pop();
    },
    found: (): Near[] => best.map(({ sequence, similarity }) => ({ sequence, similarity })),
  };
}

/** How long one piece of work may hold the event loop before others get their turn. */
const PIECE_MS = 5;

/** Resolves at once while the piece under way is short; otherwise after everything else that waits has had its turn. */
type Breathe = () => Promise<void>;

export function createBreathing(now: () => number = () => performance.now()): Breathe {
  let began = now();
  return async () => {
    if (now() - began < PIECE_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = now();
  };
}
