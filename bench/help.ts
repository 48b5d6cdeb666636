// How long `forge --help` takes, next to an empty Node program in the same rounds. `npm run bench:help [-- --rounds <n> --json <file>]`.
import { parseArgs } from "node:util";
import { median, type Result, report } from "./report.ts";
import { type Timed, timed } from "./timed.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "15" }, json: { type: "string" } } });
const CASES = {
  empty: ["-e", "0"],
  "forge --help": ["bin/forge.mjs", "--help"],
  "forge help review": ["bin/forge.mjs", "help", "review"],
} as const;
type Case = keyof typeof CASES;
const NAMES = Object.keys(CASES) as Case[];

const times = Object.fromEntries(NAMES.map((name) => [name, [] as Timed[]])) as Record<Case, Timed[]>;
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const name of NAMES) {
    const took = timed([process.execPath, ...CASES[name]]);
    // The first round fills the caches.
    if (round > 0) times[name].push(took);
  }
}

const GOAL_MS = 150;
/** Of processor time, also on a busy machine: an empty program takes some 30 ms of an idle one. */
const GOAL_RATIO = 3;
const of = (name: Case, what: keyof Timed) => median(times[name].map((took) => took[what]));

function results(name: Case): Result[] {
  const [wall, processor, empty] = [of(name, "wall"), of(name, "processor"), of("empty", "processor")];
  return [
    {
      ...{ name, value: wall, unit: "ms", baseline: of("empty", "wall") },
      ...{ goal: `under ${GOAL_MS} ms on an idle machine`, met: wall < GOAL_MS },
    },
    {
      ...{ name: `${name}, processors`, value: processor, unit: "ms", baseline: empty },
      ...{ goal: `ratio under ${GOAL_RATIO}`, met: processor < GOAL_RATIO * empty },
    },
  ];
}
report("help of the command line; baseline: node -e 0", NAMES.filter((name) => name !== "empty").flatMap(results));
