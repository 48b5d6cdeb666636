import { until } from "../../until.ts";
import { describePoint, type Point } from "../points.ts";
import type { ImplementWorld } from "./implement-world.ts";
import { storeFaults } from "./outcome.ts";
import { type Asked, actAsPeople, findPull, writeIssue } from "./people.ts";

/** Long enough for GitHub's lists to have followed, and for deliveries that failed twice to be asked for again. */
const DOWN_MS = 600_000;

export interface Death {
  readonly point: Point;
  /** From the death of the process, or the next start where it was the only one, to the next thing that was done; milliseconds. */
  readonly resumedMs: number;
  /** How long the start took that this includes. */
  readonly startedMs: number;
}

export interface Told {
  readonly asked: Asked;
  readonly deaths: readonly Death[];
  /** Processes that died: at a point that both reach at once two do. */
  readonly kills: number;
  /** Points that were never reached. */
  readonly missed: readonly string[];
  /** Calls of the model that this telling took, by what they were about. */
  readonly calls: readonly string[];
  /** Everything that was done, in order, where nobody was killed. */
  readonly points: readonly Point[];
}

/**
 * Tells the story from the label to the merge. Processes die at the points, one after the other; what is killed is started again.
 * @throws Error when Forge does not come to rest, or leaves people waiting
 */
export async function tellStory(world: ImplementWorld, points: readonly Point[] = []): Promise<Told> {
  const { github } = world.chaos;
  const waiting = [...points];
  const deaths: Death[] = [];
  let kills = 0;
  await world.start();
  await world.rest();
  if (world.place === "two machines") await world.chaos.age(DOWN_MS, "writes");
  const before = world.asked.length;
  const asked = await writeIssue(github);
  await world.start(waiting[0]);
  for (;;) {
    const died = await world.rest().catch((error: Error) => {
      const last = deaths.at(-1);
      throw new Error(`${last ? `after ${describePoint(last.point)}: ` : ""}${error.message}`);
    });
    if (died) {
      const point = waiting.shift()!;
      const death = await revive(world, waiting[0]);
      kills += death.kills;
      deaths.push({ point, ...death });
      continue;
    }
    if (await actAsPeople(github, asked)) continue;
    if (!findPull(github, asked.pull)?.merged) {
      const faults = await world.chaos.read((store) => storeFaults(store, asked));
      throw new Error(`people wait for Forge: ${faults.join("; ")}\n${outputOf(world)}`);
    }
    const reached = world.processes.flatMap((process) => process.reached());
    await world.start();
    const missed = waiting.map(describePoint);
    return { asked, deaths, kills, missed, calls: world.asked.slice(before), points: reached };
  }
}

/** Starts what died, or lets the other one take over first. */
async function revive(
  world: ImplementWorld,
  next: Point | undefined,
): Promise<Omit<Death, "point"> & { kills: number }> {
  const { chaos } = world;
  let began = performance.now();
  let kills = world.bury();
  if (world.processes.length > 0) {
    // The living one takes over what it can before the other one is back.
    for (const process of world.processes) await process.order({});
    const resumedMs = await untilResumed(world, began);
    kills += world.bury();
    await chaos.age(DOWN_MS, "writes");
    await world.start(next);
    return { kills, resumedMs, startedMs: 0 };
  }
  await chaos.github.idle();
  await chaos.age(DOWN_MS);
  began = performance.now();
  await world.start(next);
  const startedMs = performance.now() - began;
  return { kills, startedMs, resumedMs: await untilResumed(world, began) };
}

/** Milliseconds until something was done, somebody died, or there turned out to be nothing to do. */
async function untilResumed(world: ImplementWorld, began: number): Promise<number> {
  let ended = false;
  const progress = async () => {
    const isDone = () => world.processes.some((process) => process.reached().some(({ name }) => PROGRESS.test(name)));
    await until(() => ended || isDone());
  };
  await Promise.race([progress(), world.rest()]);
  ended = true;
  return performance.now() - began;
}

const PROGRESS = /^after commit: (?:events|step|effect|files|delivery|money)/;

function outputOf({ processes }: ImplementWorld): string {
  return processes.map((process) => process.output().slice(-3_000)).join("\n---\n");
}
