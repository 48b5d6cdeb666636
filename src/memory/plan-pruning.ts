import { defined } from "../domain/defined.ts";
import { LEAST_BELIEVED, type PutAway } from "../domain/memories.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { createBreathing } from "./scope-vectors.ts";
import { isBelievedMore, opposed, type Statement } from "./usable.ts";

/** MEM-4. */
const UNUSED_DAYS = 90;
export const MOST_MEMORIES = 10_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What has to be known of a memory to judge whether it stays. */
export type Held = Pick<
  StoredMemory,
  "id" | "type" | "agentType" | "content" | "createdAt" | "lastUsedAt" | "accessCount" | "cites" | "restoredAt"
> & {
  /** Today's. */
  readonly confidence: number;
};

export type Pruned = Omit<PutAway, "at"> & { readonly id: string };

/**
 * Which memories of a scope are archived now and why (MEM-4): each for the first reason that holds. Gives way to others every few milliseconds.
 * @param now ISO 8601; a clock that runs behind archives nothing for its age
 * @param most how many stay
 */
export async function planPruning(
  held: readonly Held[],
  statements: readonly Statement[],
  now: string,
  most = MOST_MEMORIES,
): Promise<Pruned[]> {
  const pruned = new Map<number, Pruned>();
  const breathe = createBreathing();
  for (const [at, memory] of held.entries()) {
    await breathe();
    const days = (Date.parse(now) - Date.parse(memory.lastUsedAt)) / DAY_MS;
    if (memory.confidence < LEAST_BELIEVED) pruned.set(at, { id: memory.id, why: "faded" });
    else if (days >= UNUSED_DAYS) pruned.set(at, { id: memory.id, why: "unused" });
  }
  const byBelief = held.map((_, at) => at).sort((a, b) => (isBelievedMore(held[a]!, held[b]!) ? -1 : 1));
  const rivals = await findRivals(held, statements);
  for (const at of byBelief) {
    await breathe();
    if (pruned.has(at)) continue;
    for (const other of rivals.get(at) ?? []) {
      if (pruned.has(other) || !isBelievedMore(held[at]!, held[other]!) || !yields(held[other]!, held[at]!)) continue;
      pruned.set(other, { id: held[other]!.id, why: "contradicted", ...defined({ by: held[at]!.id }) });
    }
  }
  for (const at of byBelief.filter((place) => !pruned.has(place)).slice(most)) {
    pruned.set(at, { id: held[at]!.id, why: "beyond_limit" });
  }
  return [...pruned.values()];
}

/**
 * Whether one gives way to another that says otherwise. Not what a person brought back; and not to what rests on code that may be gone: only a memory
 * whose code is there is ever used, so use since then shows that it is.
 */
function yields(loser: Held, winner: Held): boolean {
  if (loser.restoredAt !== undefined) return false;
  return winner.cites.length === 0 || (winner.accessCount > 0 && winner.lastUsedAt >= loser.createdAt);
}

/** Comparisons of one memory at most: thousands that say nearly the same must not take hours. */
const MOST_COMPARED = 300;
/** The share of words that `opposed` asks for at least. */
const SHARED = 0.5;

/**
 * Which contradict each other, by place. Two that share half of their words share one of the rarer half of the words of each, so that only those
 * are compared that do. What happened once contradicts nothing.
 */
async function findRivals(held: readonly Held[], statements: readonly Statement[]): Promise<Map<number, number[]>> {
  const frequency = new Map<string, number>();
  const breathe = createBreathing();
  for (const { words } of statements) {
    await breathe();
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const holders = new Map<string, number[]>();
  const rivals = new Map<number, number[]>();
  const compared = new Int32Array(held.length).fill(-1);
  for (const [at, statement] of statements.entries()) {
    if (held[at]!.type === "episodic") continue;
    await breathe();
    const rare = [...statement.words].sort((a, b) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1));
    let left = MOST_COMPARED;
    for (const word of rare.slice(0, rare.length - Math.ceil(SHARED * rare.length) + 1)) {
      const others = listOf(holders, word);
      for (const other of others) {
        if (compared[other] === at || !mayOppose(statement, statements[other]!)) continue;
        compared[other] = at;
        if (left-- <= 0) break;
        if (!sharesReader(held[at]!, held[other]!) || !opposed(statement, statements[other]!)) continue;
        listOf(rivals, at).push(other);
        listOf(rivals, other).push(at);
      }
      others.push(at);
    }
  }
  return rivals;
}

/** The list of a key, made where there is none. */
export function listOf<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function mayOppose(one: Statement, other: Statement): boolean {
  return one.negative !== other.negative || (one.measures.size > 0 && other.measures.size > 0);
}

function sharesReader(one: Held, other: Held): boolean {
  return one.agentType === undefined || other.agentType === undefined || one.agentType === other.agentType;
}
