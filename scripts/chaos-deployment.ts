// Kills Forge with SIGKILL at every kind of write of a deployment, from the merge to the revert after the rollback, and looks whether a step was
// done twice, any was lost, or a version was left without a watcher; by each of the three ways to deploy.
//   node scripts/chaos-deployment.ts [--rounds 3] [--chain 8] [--seed 1] [--only <part of a point's name>] [--way <deployment>]
import { parseArgs } from "node:util";
import { WAYS, type Way } from "../src/domain/deployments.ts";
import { createDeployWorld, type DeployWorld } from "../test/chaos/deployment/deploy-world.ts";
import { deployFaults } from "../test/chaos/deployment/faults.ts";
import { deployPoints } from "../test/chaos/deployment/kill-points.ts";
import { type Outcome, outcomeOf } from "../test/chaos/deployment/outcome.ts";
import { tellDeployments } from "../test/chaos/deployment/tell-deployments.ts";
import { chainOf } from "../test/chaos/implementation/kill-points.ts";
import { describePoint, type Point } from "../test/chaos/points.ts";
import { createRandom, shuffled } from "../test/chaos/random.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    chain: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    way: { type: "string", default: "" },
  },
});
const [rounds, length] = [Number(values.rounds), Number(values.chain)];
/** So many things are done between two deaths: what a worker dies with twice at the same mark is set aside, which is another story (PIPE-7). */
const APART = 40;
/** A point that depends on the clock may be missed; it is tried this often for each round. */
const TRIES = 3;

interface Tally {
  kills: number;
  tries: number;
  /** Kills in stories that ended wrong. */
  bad: number;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
const random = createRandom(Number(values.seed));
let [stories, wrong, unreached] = [0, 0, 0];
for (const way of WAYS.filter((one) => one.startsWith(values.way))) await killEverywhere(way);
console.log(
  `\nseed ${values.seed}: ${stories} stories, ${wrong} ended wrong, ${unreached} points were not reached, ${Math.round(performance.now() / 1000)} s`,
);
process.exitCode = wrong + unreached === 0 && stories > 0 ? 0 : 1;

/** Chains of deaths until every point had its kills. */
async function killEverywhere(way: Way): Promise<void> {
  const { trace, expected } = await inWorld(way, async (world) => {
    const told = await tellDeployments(world);
    const outcome = await outcomeOf(world, told.merged);
    const faults = await deployFaults(world, told, outcome);
    if (faults.length > 0) throw new Error(`already without a death: ${faults.join("\n")}`);
    return { trace: told.points, expected: outcome };
  });
  const names = deployPoints(trace).filter((name) => name.includes(values.only));
  console.log(`\n${way}: ${names.length} points, ${rounds} kills each`);
  const tallies = new Map(names.map((name): [string, Tally] => [name, { kills: 0, tries: 0, bad: 0 }]));
  for (;;) {
    const due = [...tallies].filter(([, { kills, tries }]) => kills < rounds && tries < TRIES * rounds);
    if (due.length === 0) break;
    const places: number[] = [];
    for (const [name, tally] of shuffled(due, random).sort(([, a], [, b]) => a.tries - b.tries)) {
      const place = placeOf(trace, name);
      if (places.length >= length || places.some((other) => Math.abs(other - place) < APART)) continue;
      tally.tries += 1;
      places.push(place);
    }
    const { deaths, faults } = await inWorld(way, (world) => killed(world, chainOf(trace, places), expected));
    stories += 1;
    for (const { name } of deaths) {
      const tally = tallies.get(name)!;
      tally.kills += 1;
      if (faults.length > 0) tally.bad += 1;
    }
    if (faults.length === 0) continue;
    wrong += 1;
    console.log(`  ${deaths.map(describePoint).join(" | ")}\n    ${faults.join("\n    ")}`);
  }
  console.log("  kills  in stories that ended wrong  point");
  for (const [name, { kills, bad }] of tallies) {
    if (kills === 0) unreached += 1;
    console.log(`${`${kills}`.padStart(7)}${`${bad}`.padStart(29)}  ${name}${kills === 0 ? ": not reached" : ""}`);
  }
}

async function killed(world: DeployWorld, chain: readonly Point[], expected: Outcome) {
  try {
    const told = await tellDeployments(world, chain);
    return { deaths: told.deaths, faults: await deployFaults(world, told, expected) };
  } catch (error) {
    return { deaths: chain, faults: [(error as Error).message] };
  }
}

/** One of the times at which something of this name happens. */
function placeOf(trace: readonly Point[], name: string): number {
  const places = trace.flatMap((point, index) => (point.name === name ? [index] : []));
  return places[Math.floor(random() * places.length)]!;
}

/** A story is told in a world of its own. */
async function inWorld<T>(way: Way, tell: (world: DeployWorld) => Promise<T>): Promise<T> {
  const world = await createDeployWorld(way);
  try {
    return await tell(world);
  } finally {
    await world.end();
  }
}
