import { type LogChange, type LogPlace, lastPlace, readChangesAfter } from "../store/events/tail.ts";
import type { Store } from "../store/store.ts";
import { subscribe } from "../store/subscribe.ts";

/** Changes that are read at a time, and that are kept for all readers. */
const READ = 500;
const KEPT = 2_000;
/** Another process may write to the log: how often is looked, in milliseconds. */
const LOOK_MS = 1_000;
/** Events that this process writes within so many milliseconds are read together. */
const GATHER_MS = 1_000;

/** What is new in the whole log, for any number of readers: the store is asked once for all of them. */
export interface LiveLog {
  /** The place of the last event. */
  last(): Promise<LogPlace>;
  /** What was stored after a place, in order, or nothing yet. A reader that fell behind reads from the store. */
  after(place: LogPlace): Promise<{ readonly changes: readonly LogChange[]; readonly place: LogPlace }>;
  /** Resolves when there is something after a place, or after so many milliseconds. */
  next(place: LogPlace, milliseconds: number): Promise<void>;
  /** A reader calls this first, with whose it is, and the result when it is done. */
  join(person: number): () => void;
  /** How many there are, of everybody or of one person. */
  readonly readers: (person?: number) => number;
  /** Ends it for all readers. */
  stop(): void;
  readonly isStopped: () => boolean;
}

export function createLiveLog(store: Store): LiveLog {
  const waiting = new Set<() => void>();
  let kept: LogChange[] = [];
  /** Everything from `from` to `at` is kept. */
  let from: LogPlace | undefined;
  let at: LogPlace = 0;
  const readers = new Set<{ readonly person: number }>();
  let stopped = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  const wake = () => {
    for (const go of waiting) go();
    waiting.clear();
  };

  async function look(): Promise<void> {
    if (from === undefined) {
      at = await lastPlace(store);
      from = at;
    }
    let found: Awaited<ReturnType<typeof readChangesAfter>>;
    do {
      found = await readChangesAfter(store, at, READ);
      kept.push(...found.changes);
      if (found.place > at) {
        at = found.place;
        wake();
      }
      if (kept.length > KEPT) {
        kept = kept.slice(-KEPT);
        from = (kept[0]?.place ?? at + 1) - 1;
      }
    } while (found.more);
  }

  const lookNow = () => {
    // A database that does not answer is asked again at the next look.
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };

  function begin(): void {
    timer = setInterval(lookNow, LOOK_MS);
    unsubscribe = subscribe(store, "*", () => {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        void lookNow();
      }, GATHER_MS);
    });
  }

  function end(): void {
    clearInterval(timer);
    clearTimeout(gathering);
    gathering = undefined;
    unsubscribe?.();
    wake();
    kept = [];
    from = undefined;
  }

  return {
    last: async () => {
      if (from === undefined) await lookNow();
      // Without a reader, or where the database did not answer.
      return from === undefined ? lastPlace(store) : at;
    },
    after: async (place) => {
      if (from === undefined) await lookNow();
      if (from === undefined || place < from) return readChangesAfter(store, place, READ);
      // A place that is not there yet is of another database: its reader begins where this one is.
      if (place > at) return { changes: [], place: at };
      // From the end: what is new is little, and each reader asks.
      const known = kept.findLastIndex((change) => change.place <= place);
      return { changes: kept.slice(known + 1), place: at };
    },
    next: (place, milliseconds) =>
      new Promise((resolve) => {
        if (from !== undefined && at > place) return resolve();
        const go = () => {
          clearTimeout(limit);
          waiting.delete(go);
          resolve();
        };
        const limit = setTimeout(go, milliseconds);
        waiting.add(go);
      }),
    join: (person) => {
      const reader = { person };
      readers.add(reader);
      if (readers.size === 1) begin();
      return () => {
        if (readers.delete(reader) && readers.size === 0) end();
      };
    },
    readers: (person) =>
      person === undefined ? readers.size : [...readers].filter((each) => each.person === person).length,
    stop: () => {
      stopped = true;
      end();
    },
    isStopped: () => stopped,
  };
}
