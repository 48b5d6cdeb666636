import { type ChaosWorld, createChaosWorld } from "./chaos-world.ts";
import { type KillOptions, killAndRecover, watchReview } from "./kill-review.ts";
import { describePoint, type Point } from "./points.ts";
import type { Story } from "./stories.ts";
import { type Outcome, violations } from "./violations.ts";

export interface Kill extends KillOptions {
  readonly point: Point;
  /** How long GitHub's lists leave out what is new, milliseconds. */
  readonly lagMs?: number;
}

export interface KillReport {
  readonly point: string;
  /** Empty when all was well in the end. */
  readonly violations: readonly string[];
  readonly milliseconds: number;
}

/** Tells the story of each kill, one after the other in each of the worlds, which work at the same time. */
export async function killEverywhere(
  worlds: readonly ChaosWorld[],
  kills: readonly Kill[],
  expected: Outcome,
  onReport: (report: KillReport) => void = () => {},
): Promise<KillReport[]> {
  const waiting = [...kills];
  const reports: KillReport[] = [];
  const workOff = async (world: ChaosWorld) => {
    for (let kill = waiting.shift(); kill; kill = waiting.shift()) {
      const report = await attempt(world, kill, expected);
      reports.push(report);
      onReport(report);
    }
  };
  await Promise.all(worlds.map(workOff));
  return reports;
}

/** A world in which Forge runs and has caught up with what happened before it began. */
export async function startWorld(): Promise<ChaosWorld> {
  const world = await createChaosWorld();
  await world.age(120_000);
  await world.start();
  await world.settled();
  return world;
}

/** What Forge writes when nothing disturbs it, and at which points it can be killed on the way. */
export async function undisturbed(world: ChaosWorld, story: Story) {
  const { points, outcome, pull } = await watchReview(world, story);
  return { points, outcome, faults: await violations(world, pull, outcome) };
}

async function attempt(world: ChaosWorld, { point, lagMs, ...options }: Kill, expected: Outcome): Promise<KillReport> {
  const lag = lagMs === undefined ? undefined : world.github.faults.add({ kind: "laggingList", ms: lagMs });
  const began = performance.now();
  const report = (violations: readonly string[]) => {
    const second = options.again ? `, then ${describePoint(options.again)}` : "";
    const milliseconds = Math.round(performance.now() - began);
    return { point: `${describePoint(point)}${second}`, violations, milliseconds };
  };
  try {
    return report(await killAndRecover(world, point, expected, options));
  } catch (error) {
    if (!world.forge.isAlive()) await world.start();
    return report([(error as Error).message]);
  } finally {
    lag?.remove();
  }
}
