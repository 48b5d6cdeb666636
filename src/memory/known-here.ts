import type { MemoryScope } from "../domain/memories.ts";
import type { StoredMemory } from "../store/memories/memory-row.ts";
import { countMemories, listMemories } from "../store/memories/read-memories.ts";
import { fadedConfidence } from "./confidence.ts";
import { findCandidates, scopesOf, scoreOf } from "./find-candidates.ts";
import type { RecallDependencies } from "./recall.ts";
import { opposed, statementOf } from "./usable.ts";

/** A memory as people are told of it. */
export interface KnownMemory {
  readonly memory: StoredMemory;
  /** Today's, 0 to 1. */
  readonly confidence: number;
  /** Ids of those that say the opposite. */
  readonly contradicts: readonly string[];
}

/** Memories that the shown ones are compared with. */
const COMPARED = 200;

/**
 * What is known in a scope: without a question what is believed most, else what bears on it, best first. Archived and expired ones too,
 * as people ask what became of them. Nothing counts as used by it.
 */
export async function knownHere(
  dependencies: Pick<RecallDependencies, "store" | "embedder" | "vectors" | "now">,
  { scope, query, limit }: { readonly scope: MemoryScope; readonly query?: string | undefined; readonly limit: number },
): Promise<{ readonly items: readonly KnownMemory[]; readonly more: number }> {
  const now = dependencies.now();
  const { store } = dependencies;
  const scopes = scopesOf(scope);
  const listed = await listMemories(store, scopes, COMPARED);
  const found = query === undefined ? listed : await search(dependencies, scope, query, now);
  const all = [...new Map([...found, ...listed].map((memory) => [memory.id, memory])).values()];
  const statements = all.map(({ content }) => statementOf(content));
  const items = found.slice(0, limit).map((memory): KnownMemory => {
    const own = statements[all.findIndex(({ id }) => id === memory.id)]!;
    const contradicts = all.flatMap(({ id }, at) => (id !== memory.id && opposed(own, statements[at]!) ? [id] : []));
    return { memory, confidence: fadedConfidence(memory.confidence, memory.lastUsedAt, now), contradicts };
  });
  const total = query === undefined ? await countMemories(store, scopes) : found.length;
  return { items, more: Math.max(0, total - items.length) };
}

async function search(
  dependencies: Pick<RecallDependencies, "store" | "embedder" | "vectors">,
  scope: MemoryScope,
  text: string,
  now: string,
): Promise<StoredMemory[]> {
  const filter = {
    types: ["episodic", "semantic", "procedural"],
    requiredTags: [],
    minimumConfidence: 0,
    now,
  } as const;
  const { candidates } = await findCandidates(dependencies, {
    ...{ scope, text, purpose: "reflection", budgetTokens: 0, filter },
  });
  const scored = candidates.map(({ memory, fused }) => ({ memory, score: scoreOf(memory, { fused, tags: [], now }) }));
  return scored.sort((a, b) => b.score - a.score).map(({ memory }) => memory);
}
