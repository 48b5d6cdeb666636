/** What work came to, and how many turns the event loop took while it ran. */
export interface Turns<T> {
  readonly result: T;
  readonly turns: number;
}

/** Counts the turns of the event loop during work that has to let others have theirs: a count of work, which no busy machine changes. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<Turns<T>> {
  let turns = 0;
  let isOver = false;
  const look = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(look);
  };
  setImmediate(look);
  try {
    const result = await work();
    return { result, turns };
  } finally {
    isOver = true;
  }
}
