import type { ChaosWorld, OpenedPull } from "./chaos-world.ts";
import { untilKilled } from "./forge-process.ts";
import type { Point } from "./points.ts";
import { type Outcome, outcomeOf, violations } from "./violations.ts";

/** PIPE-7: one process takes up its work this soon after it is started again. */
const RESUMED_WITHIN_MS = 15_000;
/** Long enough for GitHub's lists to have followed and for its failed deliveries to be asked for again. */
const DOWN_MS = 120_000;

/** What happens when nothing happens: every write of a review of `CHANGE`, in order, and what people see of it. */
export async function watchReview(world: ChaosWorld): Promise<{ points: Point[]; outcome: Outcome; pull: OpenedPull }> {
  await world.settled();
  await world.forge.order({});
  const pull = await world.openPull();
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
 * One point for each state that a crash can leave behind. Before a commit nothing has changed since the one before it; what matters there is
 * whether something was sent meanwhile. The last deliveries are Forge's own echo.
 */
export function oneForEachState(points: readonly Point[]): Point[] {
  return points.filter(({ name, occurrence }) => {
    if (/claimed delivery|delivery settled|job completed/.test(name) && occurrence > 3) return false;
    return !name.startsWith("before commit:") || /events|delivery accepted|effect done/.test(name);
  });
}

export interface KillOptions {
  /** How long the process is down; without it, long enough that nothing has to be waited for. */
  readonly downMs?: number;
  /** Killed again at this point of its recovery, and started once more. */
  readonly again?: Point;
  /** Whether the process that recovers is watched as well, so that it can be the next one to be killed. */
  readonly watched?: boolean;
}

/** Opens a pull request, kills the running process at the point, starts another, and tells what is wrong in the end. */
export async function killAndRecover(
  world: ChaosWorld,
  point: Point,
  expected: Outcome,
  { downMs = DOWN_MS, again, watched = true }: KillOptions = {},
): Promise<string[]> {
  await world.forge.order({ killAt: point });
  const opening = world.openPull();
  await untilKilled(world.forge, point);
  const pull = await opening;
  await world.github.idle();
  if (downMs > 0) await world.age(downMs);
  if (again) await dieAgain(world, again);
  const began = performance.now();
  await world.start({ watched });
  await world.settled();
  const took = performance.now() - began;
  const late = took > RESUMED_WITHIN_MS ? [`it took ${Math.round(took)} ms to recover`] : [];
  return [...late, ...(await violations(world, pull, expected))];
}

/** A recovery need not pass the point; then it simply ends. */
async function dieAgain(world: ChaosWorld, killAt: Point): Promise<void> {
  const forge = world.launch({ order: { killAt } });
  const died = await Promise.race([forge.ended.then(() => true), recovered(world)]);
  if (!died) forge.child.kill("SIGKILL");
  await forge.ended;
  await world.github.idle();
  await world.age(DOWN_MS);
}

async function recovered(world: ChaosWorld): Promise<false> {
  try {
    await world.settled();
  } catch {
    // Killed meanwhile, which is what was wanted: the other side of the race tells.
    return new Promise(() => {});
  }
  return false;
}
