import { checkRest } from "./invariants.ts";
import { ask, helpOn } from "./people.ts";
import { World } from "./world.ts";

export interface Simulated {
  readonly seed: number;
  readonly steps: number;
  readonly crashes: number;
  readonly races: number;
  /** How often an invariant was looked at. */
  readonly checks: number;
  readonly runs: number;
  /** Where the runs stood in the end: `completed`, `waiting`, ... */
  readonly ends: readonly string[];
  /** Which invariant does not hold, with all steps before that. */
  readonly violation?: { readonly what: string; readonly trace: readonly string[] };
}

const MOST_STEPS = 900;
const MOST_REST = 4_000;
/** How often somebody helps a run that waits before it has to be ready or over. */
const MOST_HELP = 40;
const HOUR_MS = 3_600_000;

/** One world from its seed to its end: trouble first, then calm, then somebody who wants the work done. */
export function simulate(seed: number): Simulated {
  const world = new World(seed);
  const report = (violation?: Simulated["violation"]): Simulated => ({
    ...{ seed, steps: world.taken, crashes: world.crashes, races: world.ledger.races, checks: world.checks },
    runs: world.ledger.runs.size,
    ends: [...world.ledger.runs.values()].map(({ status, pull }) => `${status}${pull?.ready ? ", ready" : ""}`),
    ...(violation ? { violation } : {}),
  });
  try {
    ask(world, world.random.chance(0.5));
    const steps = world.random.between(60, MOST_STEPS);
    for (let step = 0; step < steps; step += 1) {
      if (!world.step() && world.random.chance(0.3)) ask(world, false);
    }
    world.calm = true;
    rest(world);
    world.mind.kind = true;
    beHelpful(world);
  } catch (error) {
    const what =
      error instanceof Error
        ? error.constructor.name === "Broken"
          ? error.message
          : (error.stack ?? error.message)
        : String(error);
    return report({ what, trace: world.steps });
  }
  return report();
}

function rest(world: World): void {
  for (let step = 0; world.step(); step += 1) {
    if (step > MOST_REST) world.broken("comesToRest: there is no end of it");
  }
  checkRest(world);
  world.checks += 1;
}

/** Somebody answers, resumes and extends until the pull request is ready or the run is over; nothing goes wrong any more. */
function beHelpful(world: World): void {
  const { issue } = world.github;
  issue.open = true;
  world.patienceMs = HOUR_MS;
  for (let time = 1; ; time += 1) {
    const run = world.latest;
    if (!run || (run.end && run.end.is !== "failed")) return;
    if (
      run.status === "waiting" &&
      run.pull?.ready &&
      !run.stopped &&
      run.gates.every(({ standing }) => standing.is !== "open")
    )
      return;
    if (time > MOST_HELP)
      world.broken(`canBeHelped: ${run.runId} is ${run.status} in ${run.phase} after ${MOST_HELP} times`);
    helpOn(world, run);
    rest(world);
  }
}
