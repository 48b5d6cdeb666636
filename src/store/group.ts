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

/** So many make it worth beginning a commit while another one is under way. */
const WORTH_OVERLAPPING = 16;

/** How long a group waits for those who are expected: a part of what the last commit took, and so many milliseconds at most. */
const PATIENCE = 0.5;
const LONGEST_WAIT_MS = 1;

/**
 * Collects items and commits those that came meanwhile together, at most `limit` items and `maxBytes` at a time (one item may be larger and
 * is then alone). `commit` answers one result for each item, in order; when it throws, everybody in that commit gets the error. Commits are
 * begun in order, and at most `atOnce` of them are under way.
 *
 * A caller that got its answer soon asks again, and a commit costs hardly more for ten than for one: so a group waits for a moment
 * until it is as large as the company lately was (ten senders then get 2,100 answers a second from a slow disk, against 1,300). Who sends
 * alone never waits.
 */
export function createGroup<Item, Result>(options: {
  readonly limit: number;
  readonly maxBytes: number;
  readonly atOnce: number;
  readonly sizeOf: (item: Item) => number;
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
}): Group<Item, Result> {
  const { limit, maxBytes, atOnce, sizeOf, commit } = options;
  let waiting: Waiting<Item, Result>[] = [];
  const underWay = new Set<Promise<void>>();
  let scheduled: Promise<void> | undefined;
  /** Items that were not answered yet, and how many of them there lately were at once. */
  let unanswered = 0;
  let company = 0;
  let lastEnd = 0;
  let patienceMs = 0;

  const take = () => {
    let bytes = 0;
    let count = 0;
    for (const { item } of waiting) {
      bytes += sizeOf(item);
      if (count === limit || (count > 0 && bytes > maxBytes)) break;
      count += 1;
    }
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  };

  const answer = async (taken: readonly Waiting<Item, Result>[]) => {
    const begun = performance.now();
    try {
      const results = await commit(taken.map(({ item }) => item));
      taken.forEach(({ resolve }, index) => {
        resolve(results[index]!);
      });
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
    company = Math.max(unanswered, company * 0.9);
    unanswered -= taken.length;
    lastEnd = performance.now();
    patienceMs = Math.min(LONGEST_WAIT_MS, (lastEnd - begun) * PATIENCE);
  };

  const isTime = () => {
    if (waiting.length === 0) return false;
    const groups = company < 2 * WORTH_OVERLAPPING ? 1 : atOnce;
    const isLarge = waiting.length >= Math.min(limit, Math.floor(company / groups));
    if (underWay.size === 0) return isLarge || performance.now() - lastEnd >= patienceMs;
    return underWay.size < atOnce && isLarge && waiting.length >= WORTH_OVERLAPPING;
  };

  const begin = async () => {
    // Requests of this same turn of the event loop come along.
    do await new Promise((resolve) => setImmediate(resolve));
    while (underWay.size === 0 && !isTime());
    scheduled = undefined;
    if (!isTime()) return;
    const one = answer(take()).finally(() => {
      underWay.delete(one);
      schedule();
    });
    underWay.add(one);
    schedule();
  };
  const schedule = () => {
    if (isTime() || (waiting.length > 0 && underWay.size === 0)) scheduled ??= begin();
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        unanswered += 1;
        schedule();
      }),
    idle: async () => {
      while (scheduled || underWay.size > 0) await Promise.all([scheduled, ...underWay]);
    },
  };
}
