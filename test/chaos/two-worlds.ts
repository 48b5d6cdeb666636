import { afterAll, beforeAll } from "vitest";
import type { ChaosWorld } from "./chaos-world.ts";
import { type Kill, type KillReport, killEverywhere, startWorld, undisturbed } from "./kill-everywhere.ts";
import type { Point } from "./points.ts";
import type { Story } from "./stories.ts";
import type { Outcome } from "./violations.ts";

/** For a hang, and not for how many kills there are: each costs a start of Forge. */
export const LIMIT_MS = 300_000;

/** Two worlds for the tests of a file, each of which takes the next kill as soon as it is ready. */
export interface TwoWorlds {
  /** Where Forge can be killed in the story. */
  readonly points: () => readonly Point[];
  readonly outcome: () => Outcome;
  /** Kills that left something wrong, with what it was. */
  readonly failuresOf: (kills: readonly Kill[]) => Promise<KillReport[]>;
}

/** Starts the worlds before the tests of the file and has one tell the story undisturbed; fails where that leaves something wrong. */
export function twoWorlds(story: Story): TwoWorlds {
  const worlds: ChaosWorld[] = [];
  let told: Awaited<ReturnType<typeof undisturbed>> | undefined;
  const known = () => {
    if (told === undefined) throw new Error("The story has not been told yet.");
    return told;
  };
  beforeAll(async () => {
    worlds.push(...(await Promise.all([startWorld(), startWorld()])));
    told = await undisturbed(worlds[0]!, story);
    if (told.faults.length > 0) throw new Error(`Undisturbed, the story ends wrongly: ${told.faults.join("; ")}`);
  }, LIMIT_MS);
  afterAll(() => Promise.all(worlds.map((world) => world.end())));
  return {
    points: () => known().points,
    outcome: () => known().outcome,
    failuresOf: async (kills) => {
      const reports = await killEverywhere(worlds, kills, known().outcome);
      return reports.filter(({ violations }) => violations.length > 0);
    },
  };
}
