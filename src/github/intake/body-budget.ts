/** Bodies up to this size are read at once: with the limit on connections they cannot take more than 64 MB together. */
const USUAL_BODY_BYTES = 128 * 1024;

/** How many large bodies may wait for their turn. */
const LONGEST_QUEUE = 64;

/** Gives the bytes back; called exactly once. */
export type Release = () => void;

/** Shares out the memory in which large bodies are held between their first byte and the moment they are stored. */
export interface BodyBudget {
  /**
   * Asks for `bytes`; resolves when they are free, in the order of asking. Who waits must not read from its socket meanwhile, so that
   * the sender is held back. Undefined when too many wait already. Never asks for more than the whole budget.
   */
  reserve(bytes: number): Promise<Release> | Release | undefined;
}

function nothing(): void {}

/** `budgetBytes`: at least the largest body that is accepted. */
export function createBodyBudget(budgetBytes: number): BodyBudget {
  let free = budgetBytes;
  const waiting: { readonly bytes: number; readonly start: (release: Release) => void }[] = [];

  function take(bytes: number): Release {
    free -= bytes;
    return () => {
      free += bytes;
      for (let next = waiting[0]; next !== undefined && next.bytes <= free; next = waiting[0]) {
        waiting.shift();
        next.start(take(next.bytes));
      }
    };
  }

  return {
    reserve: (bytes) => {
      if (bytes <= USUAL_BODY_BYTES) return nothing;
      if (waiting.length === 0 && bytes <= free) return take(bytes);
      if (waiting.length >= LONGEST_QUEUE) return undefined;
      return new Promise((start) => waiting.push({ bytes, start }));
    },
  };
}
