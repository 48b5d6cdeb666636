// Kills Forge with SIGKILL at every kind of write of an implementation, from the label to the merge, and looks whether anything was lost,
// doubled or paid twice: in one process on a file, and in two on a libSQL server.
//   node scripts/chaos-implementation.ts [--rounds 10] [--chain 8] [--seed 1] [--only <part of a point's name>]
//     [--place <"one process" or "two machines">] [--points <so many of them, spread over the story>]
import { parseArgs } from "node:util";
import { createImplementWorld, type ImplementWorld, type Place } from "../test/chaos/implementation/implement-world.ts";
import { chainOf, killPoints } from "../test/chaos/implementation/kill-points.ts";
import { outcomeOf } from "../test/chaos/implementation/outcome.ts";
import { type Expected, storyFaults } from "../test/chaos/implementation/story-faults.ts";
import { tellStory } from "../test/chaos/implementation/tell-story.ts";
import { describePoint, type Point } from "../test/chaos/points.ts";
import { createRandom, shuffled } from "../test/chaos/random.ts";
import { libsqlServer } from "../test/store/libsql-server.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    chain: { type: "string", default: "8" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    place: { type: "string", default: "" },
    points: { type: "string", default: "" },
  },
});
const [rounds, length] = [Number(values.rounds), Number(values.chain)];
/** A point that depends on the clock may be missed; it is tried this often for each round. */
const TRIES = 3;

interface Tally {
  kills: number;
  tries: number;
  /** Kills in stories that ended wrong. */
  bad: number;
  slowestMs: number;
}

/** What was counted up to now: hours of kills are not lost with a signal. */
let counted: ReadonlyMap<string, Tally> = new Map();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    print(counted);
    process.exit(1);
  });
}
const random = createRandom(Number(values.seed));
const places = (["one process", "two machines"] as const).filter((place) => place.includes(values.place));
const { trace, expected } = await watch();
const names = spread(
  killPoints(trace).filter((name) => name.includes(values.only)),
  values.points === "" ? Number.POSITIVE_INFINITY : Number(values.points),
);
let bad = 0;
for (const place of places) {
  if (place === "one process" || libsqlServer) bad += await killEverywhere(place);
  else console.log(`\n${place}: left out, FORGE_TEST_SQLD names no libSQL server`);
}
console.log(`\nseed ${values.seed}: ${bad} stories ended wrong, ${Math.round(performance.now() / 1000)} s`);
process.exitCode = bad === 0 ? 0 : 1;

/** How the story ends, and what is written on the way, when nobody is killed. */
async function watch(): Promise<{ trace: readonly Point[]; expected: Expected }> {
  return inWorld("one process", async (world) => {
    const told = await tellStory(world);
    return { trace: told.points, expected: { outcome: await outcomeOf(world.chaos, told.asked), calls: told.calls } };
  });
}

/** Chains of deaths until every point had its kills; how many stories ended wrong. */
async function killEverywhere(place: Place): Promise<number> {
  console.log(`\n${place}: ${names.length} points, ${rounds} kills each`);
  const tallies = new Map(names.map((name): [string, Tally] => [name, { kills: 0, tries: 0, bad: 0, slowestMs: 0 }]));
  counted = tallies;
  const isDue = ({ kills, tries }: Tally) => kills < rounds && tries < TRIES * rounds;
  let wrong = 0;
  for (;;) {
    const due = shuffled([...tallies], random).filter(([, tally]) => isDue(tally));
    if (due.length === 0) break;
    const chosen = due.sort(([, a], [, b]) => a.tries - b.tries).slice(0, length);
    for (const [, tally] of chosen) tally.tries += 1;
    const chain = chainOf(
      trace,
      chosen.map(([name]) => placeOf(name)),
    );
    const { deaths, faults } = await inWorld(place, (world) => killed(world, chain));
    for (const { point, resumedMs } of deaths) {
      const tally = tallies.get(point.name)!;
      tally.kills += 1;
      tally.slowestMs = Math.max(tally.slowestMs, resumedMs);
      if (faults.length > 0) tally.bad += 1;
    }
    if (faults.length === 0) continue;
    wrong += 1;
    console.log(`  ${deaths.map(({ point }) => describePoint(point)).join(" | ")}\n    ${faults.join("\n    ")}`);
  }
  print(tallies);
  return wrong;
}

function print(tallies: ReadonlyMap<string, Tally>): void {
  console.log("  kills  in stories that ended wrong  longest time to resume  point");
  for (const [name, { kills, bad, slowestMs }] of tallies) {
    const columns = `${kills}`.padStart(7) + `${bad}`.padStart(29) + `${Math.round(slowestMs)} ms`.padStart(24);
    console.log(`${columns}  ${name}`);
  }
}

async function killed(world: ImplementWorld, chain: readonly Point[]) {
  try {
    const told = await tellStory(world, chain);
    return { deaths: told.deaths, faults: await storyFaults(world, told, expected) };
  } catch (error) {
    return { deaths: chain.map((point) => ({ point, resumedMs: 0 })), faults: [(error as Error).message] };
  }
}

/** So many of them, at equal distances; all where that is more than there are. */
function spread<T>(all: readonly T[], wanted: number): readonly T[] {
  const count = Math.min(wanted, all.length);
  return all.filter(
    (_, index) => Math.floor(((index + 1) * count) / all.length) > Math.floor((index * count) / all.length),
  );
}

/** One of the times at which something of this name happens. */
function placeOf(name: string): number {
  const places = trace.flatMap((point, index) => (point.name === name ? [index] : []));
  return places[Math.floor(random() * places.length)]!;
}

/** A story is told in a world of its own. */
async function inWorld<T>(place: Place, tell: (world: ImplementWorld) => Promise<T>): Promise<T> {
  const world = await createImplementWorld(place, libsqlServer);
  try {
    return await tell(world);
  } finally {
    await world.end();
  }
}
