import { listRuns } from "../../src/store/runs/read-runs.ts";
import { listDeadJobs } from "../store/list-dead-jobs.ts";
import type { ChaosWorld, OpenedPull } from "./chaos-world.ts";
import { describePoint, type Point } from "./points.ts";
import { openPull, type Story } from "./stories.ts";
import { type Allowed, type Outcome, outcomeOf, violations } from "./violations.ts";

/** The end of waiting for something that never happens; no measure of how soon it should. */
const GIVE_UP_MS = 300_000;
/** Long enough for GitHub's lists to have followed, and for deliveries that failed twice to be asked for again. */
export const DOWN_MS = 600_000;

/** What happens when nothing happens: every write that a story leads to, in order, and what people see in the end. */
export async function watchReview(
  world: ChaosWorld,
  story: Story = openPull,
): Promise<{ points: Point[]; outcome: Outcome; pull: OpenedPull }> {
  await world.settled();
  await world.forge.order({});
  const pull = await story.tell(world);
  await world.settled();
  return { points: world.forge.reached().filter(isOfReview), outcome: outcomeOf(world, pull), pull };
}

/**
 * Webhooks that Forge's own writes set off, and that it ignores, follow at any moment; tokens are asked for when one has expired; git
 * fetches once more where the mirror is new.
 */
function isOfReview({ name, occurrence }: Point): boolean {
  return !/check_run|check_suite|access_tokens/.test(name) && !(name.includes("git") && occurrence > 1);
}

/**
 * One point for each kind of state that a crash can leave behind. Before a commit nothing has changed since the one before it; what matters
 * there is whether something was sent meanwhile. Housekeeping is the same for every job, and what is written down before a write is
 * seen just before that write.
 */
export function oneForEachState(points: readonly Point[]): Point[] {
  return points.filter(({ name, occurrence }) => {
    if (/claimed|delivery settled|job completed/.test(name) && occurrence > 1) return false;
    if (/effect sending|write counted|answered webhook|(before|after) git/.test(name)) return false;
    return !name.startsWith("before commit:") || /events|delivery accepted/.test(name);
  });
}

export interface KillOptions {
  readonly story?: Story;
  /** How long the process is down; without it, long enough that nothing has to be waited for. */
  readonly downMs?: number;
  /** Killed again at this point of its recovery, and started once more. */
  readonly again?: Point;
  /** Whether the process that recovers is watched as well, so that it can be the next one to be killed. */
  readonly watched?: boolean;
  /** Whether the point may be missed, where it depends on the clock. */
  readonly mayMiss?: boolean;
}

/** Tells the story, kills the process at the point, starts another, and says what is wrong in the end. */
export async function killAndRecover(
  world: ChaosWorld,
  point: Point,
  expected: Outcome,
  { story = openPull, downMs = DOWN_MS, again, watched = true, mayMiss = false }: KillOptions = {},
): Promise<string[]> {
  if (!world.forge.watched) await restart(world);
  const deadBefore = new Set((await world.read(listDeadJobs)).map(({ id }) => id));
  const allowed: Allowed = { pushed: story.pushes, deadBefore };
  await world.forge.order({ killAt: point });
  const pull = await story.tell(world);
  const killed = (await diedOrSettled(world)) || !(await lives(world));
  if (!killed) {
    const missed = mayMiss ? [] : [`the point was never reached: ${describePoint(point)}`];
    return [...missed, ...(await violations(world, pull, expected, allowed))];
  }
  await world.github.idle();
  if (downMs > 0) await world.age(downMs);
  if (again) await dieAgain(world, again, downMs);
  await world.start({ watched });
  const giveUpAt = Date.now() + GIVE_UP_MS;
  while (!(await isTaken(world, pull)) && Date.now() < giveUpAt) await pause();
  await world.settled();
  const diedTwice = again !== undefined;
  return violations(world, pull, expected, { ...allowed, diedTwice });
}

/**
 * Whether the head has a run that was not cancelled. One whose webhook was lost is found by a look at the open pull requests, which no
 * job stands for: between GitHub's answer and the run all seems to be at rest.
 */
async function isTaken(world: ChaosWorld, { repository, number }: OpenedPull): Promise<boolean> {
  const { headSha } = world.github.pullRequest(repository, number);
  const runs = await world.read((store) => listRuns(store, { limit: 10_000 }));
  // No two pull requests have the same head: each is a commit of its own.
  return runs.some((run) => run.headSha === headSha && run.status !== "cancelled");
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 15));
}

/** The order is taken back: what GitHub tells late must not kill it in another story. */
async function lives({ forge }: ChaosWorld): Promise<boolean> {
  await forge.order({});
  return forge.isAlive();
}

async function restart(world: ChaosWorld): Promise<void> {
  world.forge.child.kill("SIGTERM");
  await world.forge.ended;
  await world.start();
  await world.settled();
}

/** A recovery need not pass the point; then it is killed when it has settled. */
async function dieAgain(world: ChaosWorld, killAt: Point, downMs: number): Promise<void> {
  const forge = world.launch({ order: { killAt } });
  if (!(await diedOrSettled(world))) forge.child.kill("SIGKILL");
  await forge.ended;
  await world.github.idle();
  if (downMs > 0) await world.age(downMs);
}

async function diedOrSettled(world: ChaosWorld): Promise<boolean> {
  const { ended } = world.forge;
  const settled = world.settled().then(
    () => false,
    // Dead while one looked, or never at rest: the former is what was wanted.
    (error: unknown) => {
      if (world.forge.isAlive()) throw error;
      return true;
    },
  );
  return Promise.race([ended.then(() => true), settled]);
}
