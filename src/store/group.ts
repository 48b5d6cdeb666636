export interface Group<Item, Result> {
  readonly add: (item: Item) => Promise<Result>;
  /** Resolves when nothing waits and nothing is being committed. */
  readonly idle: () => Promise<void>;
}

/**
 * Collects items while a commit is under way and commits all that came meanwhile together, at most `limit` items and `maxBytes` at a
 * time. `commit` answers one result for each item, in order; when it throws, everybody in that commit gets the error.
 */
export function createGroup<Item, Result>(options: {
  readonly limit: number;
  readonly maxBytes: number;
  readonly sizeOf: (item: Item) => number;
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
}): Group<Item, Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let running: Promise<void> | undefined;

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

  const run = async () => {
    // Whoever asks in this same turn of the event loop comes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const taken = take();
      try {
        const results = await options.commit(taken.map(({ item }) => item));
        taken.forEach(({ resolve }, index) => {
          resolve(results[index]!);
        });
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    running = undefined;
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= run();
      }),
    idle: async () => {
      await running;
    },
  };
}
