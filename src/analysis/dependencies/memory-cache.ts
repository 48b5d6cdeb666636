/** Holds answers for a while: least recently written entries go first, and none is older than `lifeMs`. */
interface MemoryCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
}

/** @param limits how many entries it holds, and for how many milliseconds each */
export function createMemoryCache<T>(limits: { entries: number; lifeMs: number }, now: () => number): MemoryCache<T> {
  const entries = new Map<string, { value: T; until: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && entry.until > now() ? entry.value : undefined;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, until: now() + limits.lifeMs });
      const oldest = entries.keys().next();
      if (entries.size > limits.entries && !oldest.done) entries.delete(oldest.value);
    },
  };
}
