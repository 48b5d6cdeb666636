/*
 * Whether one text from outside can hold Forge up:
 *
 *   npm run bench:turns [-- --only <part of a name>] [--quick] [--list]
 *
 * Growth: each reader of outside text reads a text that is made to be slow, whole and in sixteen parts. The baseline is the sum of the parts:
 * about 1 where time grows in proportion to the text, about 16 where it grows by the square. Generated pumps (a prefix, a repeated middle, a
 * suffix that fails) are read at n and 4n, for which the baseline is four texts of n.
 * Turns: the longest time for which a piece of work holds the event loop, against its limit.
 * --quick runs every case once at a small size and judges no time. Ends with 1 where a ratio is above its limit.
 */
import { parseArgs } from "node:util";
import { type Result, report } from "./report.ts";
import { generatedPumps } from "./turns/generated-pumps.ts";
import { GROWTH, type GrowthCase } from "./turns/growth.ts";
import { LONGEST_TEXTS } from "./turns/longest-texts.ts";
import { growth, longestTurn } from "./turns/measure.ts";
import { pumpsOfReaders } from "./turns/pumps.ts";
import { REPOSITORY_TURNS } from "./turns/repository-turns.ts";
import { TURNS } from "./turns/turn-cases.ts";

/** As a ratio to the same work in sixteen parts. */
const GROWTH_LIMIT = 6;
/** The same of texts at n and 4n, which are 4 times apart where time grows by the square. */
const PUMP_LIMIT = 2.5;
const limitOf = ({ parts }: Pick<GrowthCase, "parts">) => (parts === undefined ? GROWTH_LIMIT : PUMP_LIMIT);
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
const growing = [...GROWTH, ...pumpsOfReaders(), ...generatedPumps()].filter(isChosen);
const turns = [...TURNS, ...LONGEST_TEXTS, ...REPOSITORY_TURNS].filter(isChosen);
if (growing.length + turns.length === 0) {
  console.error(`No case has ${JSON.stringify(values.only)} in its name. --list prints the names.`);
  process.exit(64);
}
if (values.list) {
  const names = [...growing, ...turns].map(({ name }) => `${name}\n`);
  // A pipe has not taken all of it when `write` returns.
  await new Promise((resolve) => process.stdout.write(names.join(""), resolve));
  process.exit(0);
}

const worst = new Map<string, { ratio: number; name: string; limit: number; parts: string }>();
// One after the other, and each group says what it found when it ends: the whole takes minutes.
for (const [group, cases] of Map.groupBy(growing, (each) => each.group)) {
  const began = performance.now();
  for (const each of cases) {
    const ratio = await ratioOf(each);
    if (ratio >= (worst.get(group)?.ratio ?? 0))
      worst.set(group, { ratio, name: each.name, limit: limitOf(each), parts: each.parts ? "four" : "sixteen" });
  }
  say(`${worst.get(group)?.ratio.toFixed(1)} times  ${group} (${cases.length} texts)`, began);
}
const results: Result[] = [...worst].map(([group, { ratio, name, limit, parts }]) => ({
  name: ratio < limit ? group : name,
  value: ratio,
  unit: "times",
  baseline: 1,
  goal: `below ${limit} times its ${parts} parts`,
  ...(values.quick ? {} : { met: ratio < limit }),
}));
for (const { name, limitMs, prepare } of turns) {
  const began = performance.now();
  const small = prepare(1 / QUICK);
  if (values.quick) {
    await small();
    continue;
  }
  const ms = await longestTurn(prepare(1), small, limitMs);
  say(`${ms.toFixed(1)} ms  ${name}`, began);
  results.push({ name, value: ms, unit: "ms", baseline: limitMs, goal: "below its limit", met: ms < limitMs });
}
const counts = `${growing.length} texts made to be slow, ${turns.length} long pieces of work`;
if (values.quick) console.log(`${counts}: each ran once at a small size. No time was judged.`);
else report(counts, results);

/** Where the bench is, on the terminal alone: the table at the end has it all. */
function say(line: string, began: number): void {
  if (!values.quick) console.error(`${line}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function ratioOf({ work, size, parts }: GrowthCase): Promise<number> {
  if (!values.quick) return growth(work, size, parts === undefined ? GROWTH_LIMIT : PUMP_LIMIT, parts);
  await work(Math.ceil(size / QUICK));
  return 1;
}
