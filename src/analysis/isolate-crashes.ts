/** A program that hangs is stopped after 20 s each time: a change must not keep a worker for longer than this. */
const MOST_MILLISECONDS = 60_000;

/** Text of one run at the most: Biome takes 20 times as much memory. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Two thousand files need 2 × 11 runs to find one culprit; more runs than this mean that a change is full of them. */
const MOST_RUNS = 40;

export interface Isolated<F, R> {
  readonly results: R[];
  readonly culprits: { readonly file: F; readonly reason: string }[];
}

/** What one run over some files gave: a result, or the reason why it broke down. */
export type RunOutcome<R> = { readonly result: R } | { readonly failure: string };

/**
 * Runs a program over all files, in shares of 8 MB, and when it breaks down over halves of them, until the files it breaks down on are
 * alone: one hostile file must not cost the others their review. After 40 runs or a minute what is left is given up.
 */
export async function isolateCrashes<F extends { readonly text: string }, R>(
  files: readonly F[],
  run: (files: readonly F[], attempt: number) => Promise<RunOutcome<R>>,
): Promise<Isolated<F, R>> {
  const results: R[] = [];
  const culprits: { file: F; reason: string }[] = [];
  const queue = inShares(files);
  const deadline = performance.now() + MOST_MILLISECONDS;
  for (let attempt = 0; queue.length > 0; attempt += 1) {
    const part = queue.shift() ?? [];
    if (part.length === 0) continue;
    if (attempt >= MOST_RUNS || performance.now() > deadline) {
      culprits.push(
        ...part.map((file) => ({ file, reason: "left out: too many files of this change break the program" })),
      );
      continue;
    }
    const outcome = await run(part, attempt);
    if ("result" in outcome) {
      results.push(outcome.result);
    } else if (part.length === 1) {
      culprits.push(...part.map((file) => ({ file, reason: outcome.failure })));
    } else {
      const middle = part.length >> 1;
      queue.push(part.slice(0, middle), part.slice(middle));
    }
  }
  return { results, culprits };
}

function inShares<F extends { readonly text: string }>(files: readonly F[]): (readonly F[])[] {
  const shares: F[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const file of files) {
    size += file.text.length;
    if (size > MOST_CHARACTERS) {
      shares.push([]);
      size = file.text.length;
    }
    shares.at(-1)?.push(file);
  }
  return shares;
}
