// Prints the slowest files and tests of the latest runs, from test-durations.json.
//   npm run test:slow [-- --most 20] [--tier quick|full|long]
import { parseArgs } from "node:util";
import { type Durations, readDurations } from "../test/suite/durations-file.ts";
import { TIERS, tierOf } from "../test/suite/tiers.ts";

const { values } = parseArgs({ options: { most: { type: "string", default: "20" }, tier: { type: "string" } } });
const most = Number(values.most);
if (!Number.isInteger(most) || most < 1) fail(`--most is a whole number from 1 on, not ${values.most}.`);
if (values.tier !== undefined && !TIERS.some((tier) => tier === values.tier))
  fail(`--tier is one of ${TIERS.join(", ")}, not ${values.tier}.`);

const all = Object.entries(readDurations());
if (all.length === 0) fail("No test has run here yet. Run npm test first.");
const durations: Durations = Object.fromEntries(
  all.filter(([path]) => values.tier === undefined || tierOf(path) === values.tier),
);
const files = Object.entries(durations).map(([path, { ms }]) => ({ ms, name: path }));
const tests = Object.entries(durations).flatMap(([path, { tests }]) =>
  Object.entries(tests).map(([name, ms]) => ({ ms, name: `${path}: ${name}` })),
);
print("files", files);
print("tests", tests);

function print(what: string, rows: readonly { readonly ms: number; readonly name: string }[]): void {
  const total = rows.reduce((sum, { ms }) => sum + ms, 0);
  console.log(`Slowest ${what}, of ${rows.length} that took ${(total / 1000).toFixed(1)} s together:`);
  for (const { ms, name } of rows.toSorted((one, other) => other.ms - one.ms).slice(0, most))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name.slice(0, 160)}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(64);
}
