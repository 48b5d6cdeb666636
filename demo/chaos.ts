import { setTimeout as pause } from "node:timers/promises";
import type { ForgeProcess } from "./forge-process.ts";
import type { Running } from "./lifetime.ts";
import { createRandom } from "./random.ts";
import type { Screen } from "./screen.ts";

/** How often Forge is killed in one story. It gives up a job that died with it more than five times. */
const CRASHES = 5;
const LOOK_EVERY_MS = 5;

export interface ChaosOptions {
  /** Starts Forge; resolves when it takes work. */
  readonly start: () => Promise<ForgeProcess>;
  readonly seed: number;
  /** How many of these steps lie between two deaths. */
  readonly apart: { readonly least: number; readonly most: number };
  /** How many requests to GitHub and questions to the model there have been. */
  readonly steps: () => number;
  /** The newest of them, for the reader. */
  readonly lastStep: () => string;
  /** Sends webhooks again that came while nobody was there. */
  readonly redeliver: () => Promise<void>;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Forge, which dies again and again and is started again each time. */
export interface Chaos extends Running, Pick<ForgeProcess, "address" | "died" | "command"> {
  readonly seed: number;
  /** After how many steps from `begin` on it was killed, each time. */
  readonly crashes: readonly number[];
  /** From here on it dies. */
  begin(): void;
  /** From here on it lives; resolves when it takes work. */
  calm(): Promise<void>;
}

/**
 * Starts Forge, and from `begin` on kills its process with SIGKILL each time when so many steps were taken as the seed says. The moment
 * is random anyway: between two steps Forge does this and that.
 * @throws StoryFailed when it does not start
 */
export async function startChaos({
  start,
  seed,
  apart,
  steps,
  lastStep,
  redeliver,
  screen,
  signal,
}: ChaosOptions): Promise<Chaos> {
  const random = createRandom(seed);
  const crashes: number[] = [];
  const over = new AbortController();
  const waiting = AbortSignal.any([signal, over.signal]);
  let forge = await start();
  let crashing: Promise<void> = Promise.resolve();
  let fail: (error: unknown) => void = () => {};
  const died = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  died.catch(() => {});
  forge.died.catch(fail);

  async function crashAgainAndAgain(): Promise<void> {
    const first = steps();
    for (let next = 0; crashes.length < CRASHES; ) {
      next += apart.least + Math.floor(random() * (apart.most - apart.least));
      while (steps() < first + next) await pause(LOOK_EVERY_MS, undefined, { signal: waiting });
      await forge.crash();
      crashes.push(next);
      const line = `✗ kill -9: Forge dies at step ${next}, right after ${lastStep()}, and is started again`;
      screen.say("", screen.paint("red", line), "");
      forge = await start();
      forge.died.catch(fail);
      await redeliver();
    }
  }

  return {
    seed,
    crashes,
    died,
    address: forge.address,
    command: (...args) => forge.command(...args),
    begin: () => {
      crashing = crashAgainAndAgain().catch((error: unknown) => {
        if (!waiting.aborted) fail(error);
      });
    },
    calm: async () => {
      over.abort();
      await crashing;
      await redeliver();
    },
    stop: async () => {
      over.abort();
      await crashing;
      await forge.stop();
    },
    kill: () => forge.kill(),
  };
}
