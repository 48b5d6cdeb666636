/**
 * Says "there is work for this key" and nothing else: the jobs table is the truth, so that a wake-up may be lost, doubled or late.
 */
export interface Transport {
  readonly wake: (key: string) => void;
  /** Returns what ends the listening. A listener must not throw. */
  readonly onWake: (listener: (key: string) => void) => () => void;
}

/** Wakes workers of this process. */
export function createMemoryTransport(): Transport {
  const listeners = new Set<(key: string) => void>();
  return {
    wake: (key) => {
      for (const listener of listeners) listener(key);
    },
    onWake: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
