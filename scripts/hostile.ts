// Lets everything hostile loose on the whole program, kills it after each, starts it again, and says what held.
//   npm run hostile -- [--seed 1] [--all] [--class <name>] [--only <part of a payload's name>] [--programs 3] [--each] [--show] [--spare]
//     [--list]
// Of each class 24 payloads, other ones with another seed; --all takes every one. --spare leaves the program alive after each, which is
// quicker; --show prints what people read of it; --each says how long each took.
import { parseArgs } from "node:util";
import { openSandbox } from "../src/workspace/sandbox/open-sandbox.ts";
import { CLASSES } from "../test/hostile/classes.ts";
import { createRemoteArena } from "../test/hostile/program/remote-arena.ts";
import { runTests, TESTED } from "../test/hostile/program/tested.ts";
import { chosenOf, interleaved, type Turn } from "../test/hostile/program/turns.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    all: { type: "boolean", default: false },
    class: { type: "string", default: "" },
    only: { type: "string", default: "" },
    programs: { type: "string", default: "3" },
    each: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
    spare: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** What became of the payloads of a class. */
interface Tally {
  payloads: number;
  held: number;
  broken: number;
  notRun: number;
}

const seed = Number(values.seed);
const most = values.all ? Number.POSITIVE_INFINITY : undefined;
const turns = interleaved(
  CLASSES.filter(({ name }) => name.startsWith(values.class)).flatMap((attacks) =>
    chosenOf(attacks, seed, most)
      .filter((payload) => payload.name.includes(values.only))
      .map((payload) => ({ of: attacks.name, payload })),
  ),
);
if (values.list) {
  for (const { of, payload } of turns) console.log(`${of}: ${payload.name}: ${payload.does}`);
  process.exit(0);
}
const sandbox = await openSandbox();
const unboxed = "unavailable" in sandbox ? sandbox.unavailable : undefined;
const tallies = new Map<string, Tally>(
  [...CLASSES.map(({ name }) => name), ...Object.keys(TESTED)].map((name) => [
    name,
    { payloads: 0, held: 0, broken: 0, notRun: 0 },
  ]),
);
const queue = [...turns];
let brokenAfterwards = 0;
await Promise.all([...Array.from({ length: Number(values.programs) }, work), workOnTests()]);
report();
process.exit([...tallies.values()].every(({ broken }) => broken === 0) && brokenAfterwards === 0 ? 0 : 1);

/** One arena takes the next payload until there is none. */
async function work(): Promise<void> {
  const options = ["--seed", values.seed, ...(values.spare ? ["--spare"] : []), ...(values.show ? ["--show"] : [])];
  const arena = createRemoteArena(options);
  for (let turn = queue.shift(); turn !== undefined; turn = queue.shift()) await take(turn, arena);
  const faults = await arena.end();
  if (faults.length > 0) brokenAfterwards += 1;
  if (faults.length > 0) say("afterwards", "an honest change", faults);
}

async function take(turn: Turn, arena: ReturnType<typeof createRemoteArena>): Promise<void> {
  const { of, payload } = turn;
  const tally = tallies.get(of)!;
  tally.payloads += 1;
  if (payload.needsSandbox === true && unboxed !== undefined) {
    tally.notRun += 1;
    return;
  }
  const began = performance.now();
  const faults = await arena.run(turn);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (values.each) console.log(`${of}: ${payload.name}: ${faults.length} faults, ${seconds} s`);
  tally[faults.length === 0 ? "held" : "broken"] += 1;
  if (faults.length > 0) say(`${of}: ${payload.name}`, payload.does, faults);
}

/** The classes whose payloads are tests already: they look at more than a pull request. */
async function workOnTests(): Promise<void> {
  for (const [name, files] of Object.entries(TESTED)) {
    if (!name.startsWith(values.class) || values.only !== "") continue;
    const began = performance.now();
    const { held, notRun, broken } = await runTests(files);
    if (values.each) console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
    tallies.set(name, { payloads: held + notRun + broken.length, held, notRun, broken: broken.length });
    for (const { title, fault } of broken) say(`${name}: ${title}`, "is a test", [fault]);
  }
}

function say(what: string, does: string, faults: readonly string[]): void {
  console.log(`BROKEN ${what} (it ${does})\n${faults.map((fault) => `    ${fault}`).join("\n")}`);
}

function report(): void {
  const row = (name: string, { payloads, held, broken, notRun }: Tally) =>
    console.log([name.padEnd(14), ...[payloads, held, broken, notRun].map((each) => `${each}`.padStart(9))].join(""));
  console.log(`${"class".padEnd(14)} payloads     held   broken  not run`);
  const rows = [...tallies].filter(([, { payloads }]) => payloads > 0);
  for (const [name, tally] of rows) row(name, tally);
  const sum = (of: keyof Tally) => rows.reduce((total, [, tally]) => total + tally[of], 0);
  row("all", { payloads: sum("payloads"), held: sum("held"), broken: sum("broken"), notRun: sum("notRun") });
  const seconds = Math.round(performance.now() / 1000);
  console.log(`seed ${values.seed}, ${seconds} s${unboxed === undefined ? "" : `; not run: ${unboxed}`}`);
}
