import type { MemoryScope } from "../domain/memories.ts";
import { type MemoryEntry, readMemoryChanges, readMemoryVersion } from "../store/memories/read-memories.ts";
import type { Store } from "../store/store.ts";
import { createBreathing, createScopeVectors, type ScopeVectors } from "./scope-vectors.ts";

/** One read holds the event loop for about a millisecond. */
const ROWS_PER_READ = 100;

export interface VectorCacheOptions {
  readonly store: Store;
  readonly method: string;
  readonly dimensions: number;
  /** How much memory the vectors of all scopes together may take. */
  readonly maximumBytes: number;
}

export interface VectorCache {
  /**
   * The vectors of a scope as the database has them now, whichever process wrote last: what changed since the last call is read, all of
   * it when something was deleted. Undefined for a scope that alone would exceed the limit.
   */
  readonly vectorsOf: (scope: MemoryScope) => Promise<ScopeVectors | undefined>;
}

/** Keeps the vectors of the scopes that were asked for last, so that a search need not read them from the database. */
export function createVectorCache(options: VectorCacheOptions): VectorCache {
  const cached = new Map<string, ScopeVectors>();
  const tooLarge = new Set<string>();
  const refreshing = new Map<string, Promise<ScopeVectors | undefined>>();

  const makeRoom = (key: string): boolean => {
    let bytes = 0;
    for (const vectors of cached.values()) bytes += vectors.bytes();
    for (const [other, vectors] of cached) {
      if (bytes <= options.maximumBytes) return true;
      if (other === key) continue;
      cached.delete(other);
      bytes -= vectors.bytes();
    }
    return bytes <= options.maximumBytes;
  };

  const refresh = async (key: string, scope: MemoryScope): Promise<ScopeVectors | undefined> => {
    const version = await readMemoryVersion(options.store, scope);
    const known = cached.get(key);
    const reusable =
      known !== undefined && version?.deletions === known.deletions && version.revision >= known.revision();
    const vectors = reusable ? known : createScopeVectors(options.dimensions, version?.deletions ?? 0);
    // Last in the map is last used.
    cached.delete(key);
    cached.set(key, vectors);
    if (version === undefined || version.revision === vectors.revision()) return vectors;
    const breathe = createBreathing();
    for (;;) {
      const changes = await readMemoryChanges(options.store, scope, {
        revision: vectors.revision(),
        limit: ROWS_PER_READ,
      });
      for (const entry of changes) vectors.put(ofMethod(entry, options.method));
      if (!makeRoom(key)) {
        cached.delete(key);
        tooLarge.add(key);
        return undefined;
      }
      if (changes.length < ROWS_PER_READ) break;
      await breathe();
    }
    vectors.settle(version.revision);
    return vectors;
  };

  return {
    vectorsOf: (scope) => {
      const key = `${scope.installationId}/${scope.repositoryId ?? 0}`;
      if (tooLarge.has(key)) return Promise.resolve(undefined);
      // Who asks while the scope is being read waits for a reading of his own: it may have changed since.
      const before = refreshing.get(key) ?? Promise.resolve(undefined);
      const mine = before.catch(() => undefined).then(() => refresh(key, scope));
      refreshing.set(key, mine);
      return mine.finally(() => {
        if (refreshing.get(key) === mine) refreshing.delete(key);
      });
    },
  };
}

/** Without the vector when it is of another method: it cannot be compared. */
function ofMethod(entry: MemoryEntry, method: string): MemoryEntry {
  if (entry.embedding === undefined || entry.embedding.method === method) return entry;
  const { embedding: _other, ...rest } = entry;
  return rest;
}
