// Runs the pure core of the work on issues in simulated worlds, each from its seed, with everything that can go wrong, and looks at the invariants after every step.
//   node scripts/simulate.ts [--seeds 2000] [--seed <one>] [--verbose]
import { parseArgs } from "node:util";
import { type Simulated, simulate } from "../test/simulation/simulate.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    seed: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

/** How many steps before a violation are shown; all with `--verbose`. */
const TRACE = 30;
const began = performance.now();
const seeds =
  values.seed === undefined ? Array.from({ length: Number(values.seeds) }, (_, i) => i + 1) : [Number(values.seed)];
const worlds: Simulated[] = [];
for (const seed of seeds) {
  const world = simulate(seed);
  worlds.push(world);
  if (values.verbose) console.log(`seed ${seed}: ${world.steps} steps, ${world.ends.join("; ")}`);
  if (!world.violation) continue;
  const { what, trace } = world.violation;
  console.log(`\nseed ${seed} violates ${what}`);
  console.log((values.verbose ? trace : trace.slice(-TRACE)).map((line) => `    ${line}`).join("\n"));
  console.log(`  again: npm run simulate -- --seed ${seed}\n`);
}

const sum = (of: (world: Simulated) => number) => worlds.reduce((all, world) => all + of(world), 0);
const violations = worlds.filter(({ violation }) => violation).length;
const ends = new Map<string, number>();
for (const end of worlds.flatMap((world) => world.ends)) ends.set(end, (ends.get(end) ?? 0) + 1);
console.log(`${worlds.length} worlds, ${sum(({ runs }) => runs)} runs, ${sum(({ steps }) => steps)} steps`);
console.log(`${sum(({ crashes }) => crashes)} crashes, ${sum(({ races }) => races)} lost races`);
console.log([...ends].map(([end, times]) => `${times} ${end}`).join("; "));
console.log(
  `${sum(({ checks }) => checks)} invariants checked, ${violations} violations, ${Math.round((performance.now() - began) / 1000)} s`,
);
process.exitCode = violations === 0 ? 0 : 1;
