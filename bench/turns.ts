/*
 * Whether one text from outside can hold Forge up:
 *
 *   npm run bench:turns [-- --only <part of a name>] [--quick] [--list]
 *
 * Growth: each reader of outside text reads a text that is made to be slow, whole and in sixteen parts. The baseline is the sum of the parts:
 * about 1 where time grows in proportion to the text, about 16 where it grows by the square.
 * Turns: the longest time for which a piece of work holds the event loop, against its limit.
 * --quick runs every case once at a small size and judges no time. Ends with 1 where a ratio is above its limit.
 */
import { parseArgs } from "node:util";
import { type Result, report } from "./report.ts";
import { GROWTH, type GrowthCase } from "./turns/growth.ts";
import { growth, longestTurn } from "./turns/measure.ts";
import { pumpsOfReaders } from "./turns/pumps.ts";
import { TURNS } from "./turns/turn-cases.ts";

/** As a ratio to the same work in sixteen parts. */
const GROWTH_LIMIT = 6;
const QUICK = 64;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const isChosen = ({ name }: { readonly name: string }) => name.includes(values.only);
const growing = [...GROWTH, ...pumpsOfReaders()].filter(isChosen);
const turns = TURNS.filter(isChosen);
if (growing.length + turns.length === 0) {
  console.error(`No case has ${JSON.stringify(values.only)} in its name. --list prints the names.`);
  process.exit(64);
}
if (values.list) {
  for (const { name } of [...growing, ...turns]) console.log(name);
  process.exit(0);
}

const worst = new Map<string, { ratio: number; name: string }>();
for (const each of growing) {
  const ratio = await ratioOf(each);
  if (ratio >= (worst.get(each.group)?.ratio ?? 0)) worst.set(each.group, { ratio, name: each.name });
}
const results: Result[] = [...worst].map(([group, { ratio, name }]) => ({
  name: ratio < GROWTH_LIMIT ? group : name,
  value: ratio,
  unit: "times",
  baseline: 1,
  goal: `below ${GROWTH_LIMIT} times its sixteen parts`,
  ...(values.quick ? {} : { met: ratio < GROWTH_LIMIT }),
}));
for (const { name, limitMs, prepare } of turns) {
  const work = prepare(values.quick ? 1 / QUICK : 1);
  if (values.quick) {
    await work();
    continue;
  }
  const ms = await longestTurn(work, limitMs);
  results.push({ name, value: ms, unit: "ms", baseline: limitMs, goal: "below its limit", met: ms < limitMs });
}
const counts = `${growing.length} texts made to be slow, ${turns.length} long pieces of work`;
if (values.quick) console.log(`${counts}: each ran once at a small size. No time was judged.`);
else report(counts, results);

async function ratioOf({ work, size }: GrowthCase): Promise<number> {
  if (!values.quick) return growth(work, size, GROWTH_LIMIT);
  await work(Math.ceil(size / QUICK));
  return 1;
}
