import { createRandom } from "../chaos/random.ts";
import { mutate, pick, wordsOf } from "./mutate.ts";
import type { ParserCoverage } from "./parser-coverage.ts";
import type { FuzzTarget } from "./targets.ts";

export interface FuzzFind {
  readonly input: string;
  readonly problem: string;
}

export interface FuzzRun {
  readonly inputs: number;
  readonly finds: readonly FuzzFind[];
  /** Inputs that reached something new and were mutated further. */
  readonly kept: number;
}

export interface FuzzLimits {
  readonly seed: number;
  /** Asked before each portion of inputs. */
  readonly goesOn: (inputs: number) => boolean;
  /** Leads the way: what reaches something new is mutated further. Without it every input may be. */
  readonly coverage?: ParserCoverage;
  /** Milliseconds that a piece of work took; without it no time is looked at, as in tests. */
  readonly clock?: Clock;
}

export type Clock = (work: () => unknown) => Promise<number>;

/** Milliseconds of processor time: what is there for every input, and for each of its characters. Ten times what the slowest needs. */
const MOST_MS = 150;
const MOST_MS_OF_CHARACTER = 0.02;
const PORTION = 25;
const MOST_KEPT = 400;

/** Gives a parser mutated inputs until it is enough; what it throws, how long it takes and what it leaves behind are looked at. */
export async function fuzzParser(target: FuzzTarget, { seed, goesOn, coverage, clock }: FuzzLimits): Promise<FuzzRun> {
  const random = createRandom(seed);
  const words = wordsOf(target.samples);
  const corpus = [...target.samples];
  const finds = new Map<string, FuzzFind>();
  let inputs = 0;
  while (goesOn(inputs)) {
    const portion = Array.from({ length: PORTION }, () =>
      mutate(pick(corpus, random), random, words, pick(corpus, random)),
    );
    for (const input of portion) {
      inputs += 1;
      const problem = await problemWith(target, input, clock);
      // One of each kind is enough: where it is thrown says which.
      if (problem !== undefined)
        finds.set(/\bat .*/.exec(problem)?.[0] ?? problem.replace(/\d+/g, ""), { input, problem });
    }
    if ((await coverage?.look()) ?? random() < 0.1) corpus.push(...portion);
    if (corpus.length > MOST_KEPT) corpus.splice(target.samples.length, corpus.length - MOST_KEPT);
  }
  return { inputs, finds: [...finds.values()], kept: corpus.length - target.samples.length };
}

/** What is wrong with how a parser takes an input; undefined when nothing is. */
export async function problemWith(
  { parse }: FuzzTarget,
  input: string,
  clock: Clock = untimed,
): Promise<string | undefined> {
  const allowed = MOST_MS + input.length * MOST_MS_OF_CHARACTER;
  let fastest = Number.POSITIVE_INFINITY;
  // A slow input gets two more tries: the compiler and the collector have their turn too.
  for (let tries = 0; tries < 3 && fastest > allowed; tries += 1) {
    try {
      fastest = Math.min(fastest, await clock(() => parse(input)));
    } catch (error) {
      return `throws ${error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 3).join(" ") : String(error)}`;
    }
  }
  if (fastest > allowed) return `takes ${Math.round(fastest)} ms for ${input.length} characters`;
  const polluted = Object.keys(Object.prototype);
  for (const key of polluted) delete (Object.prototype as Record<string, unknown>)[key];
  return polluted.length > 0 ? `leaves ${polluted.join(", ")} on every object` : undefined;
}

async function untimed(work: () => unknown): Promise<number> {
  await work();
  return 0;
}
