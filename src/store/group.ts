export interface Group<Item, Result> {
  readonly add: (item: Item) => Promise<Result>;
  /** Resolves when nothing waits and nothing is being committed. */
  readonly idle: () => Promise<void>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects items while commits are under way and commits those that came meanwhile together, at most `limit` items and `maxBytes` at a
 * time (one item may be larger and is then alone). `commit` answers one result for each item, in order; when it throws, everybody in that
 * commit gets the error. `atOnce` commits may be under way, so that the next one is ready when one is done; they are begun in order.
 */
export function createGroup<Item, Result>(options: {
  readonly limit: number;
  readonly maxBytes: number;
  readonly atOnce: number;
  readonly sizeOf: (item: Item) => number;
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
}): Group<Item, Result> {
  let waiting: Waiting<Item, Result>[] = [];
  const underWay = new Set<Promise<void>>();
  let scheduled: Promise<void> | undefined;

  const take = () => {
    let bytes = 0;
    let count = 0;
    for (const { item } of waiting) {
      bytes += options.sizeOf(item);
      if (count === options.limit || (count > 0 && bytes > options.maxBytes)) break;
      count += 1;
    }
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  };

  const commit = async (taken: readonly Waiting<Item, Result>[]) => {
    try {
      const results = await options.commit(taken.map(({ item }) => item));
      taken.forEach(({ resolve }, index) => {
        resolve(results[index]!);
      });
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  };

  const begin = async () => {
    // Whoever asks in this same turn of the event loop comes along.
    await new Promise((resolve) => setImmediate(resolve));
    scheduled = undefined;
    while (waiting.length > 0 && underWay.size < options.atOnce) {
      const one = commit(take()).finally(() => {
        underWay.delete(one);
        schedule();
      });
      underWay.add(one);
    }
  };
  const schedule = () => {
    if (waiting.length > 0 && underWay.size < options.atOnce) scheduled ??= begin();
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      }),
    idle: async () => {
      while (scheduled || underWay.size > 0) await Promise.all([scheduled, ...underWay]);
    },
  };
}
