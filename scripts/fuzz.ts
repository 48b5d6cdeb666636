// Gives the parsers of foreign text mutated inputs, led by what they reach, and prints what broke and how much of each parser ran.
//   npm run fuzz -- [parser ...] [--minutes 10] [--seed 1] [--keep]
//   npm run fuzz -- --pumps [reader ...] [--minutes 10] [--seed 1]
// `--keep` writes finds to test/fuzz/finds, where the tests give them to their parser again.
// `--pumps` searches for texts that a reader of outside text takes more than linear time for: a prefix, a repeated middle, a suffix. It
// compares the time at n and 4n. A find belongs into `bench/turns/outside-readers.ts`.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { OUTSIDE_READERS } from "../bench/turns/outside-readers.ts";
import { fuzzParser } from "../test/fuzz/fuzz-parser.ts";
import { startCoverage } from "../test/fuzz/parser-coverage.ts";
import { TARGETS } from "../test/fuzz/targets.ts";
import { searchPumps } from "./fuzz/search-pumps.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
    pumps: { type: "boolean", default: false },
  },
});
const known = values.pumps ? OUTSIDE_READERS : TARGETS;
const names = positionals.length > 0 ? positionals : Object.keys(known);
const limitMs = Number(values.minutes) * 60_000;
let broken = 0;
for (const name of values.pumps ? names : []) {
  const reader = OUTSIDE_READERS[name];
  if (!reader) throw new Error(`There is no reader ${name}: ${Object.keys(OUTSIDE_READERS).join(", ")}`);
  const began = performance.now();
  const goesOn = () => performance.now() - began < limitMs;
  const { tried, finds } = await searchPumps(reader, { seed: Number(values.seed), goesOn, clock: processorMs });
  console.log(`${name}: ${tried} pumps, ${finds.length} finds`);
  for (const find of finds) console.log(`  ${find}`);
  broken += finds.length;
}
for (const name of values.pumps ? [] : names) {
  const target = TARGETS[name];
  if (!target) throw new Error(`There is no parser ${name}: ${Object.keys(TARGETS).join(", ")}`);
  const coverage = await startCoverage();
  const began = performance.now();
  const goesOn = () => performance.now() - began < limitMs;
  const { inputs, finds, kept } = await fuzzParser(target, {
    seed: Number(values.seed),
    goesOn,
    coverage,
    clock: processorMs,
  });
  console.log(`${name}: ${inputs} inputs, ${kept} kept, ${finds.length} finds`);
  for (const { file, share } of coverage.shares(target.files)) console.log(`  ${Math.round(100 * share)} %  ${file}`);
  for (const { input, problem } of finds) {
    console.log(`  ${problem}\n    ${JSON.stringify(input.slice(0, 300))}`);
    if (!values.keep) continue;
    const digest = createHash("sha256").update(input).digest("hex").slice(0, 12);
    writeFileSync(new URL(`../test/fuzz/finds/${name}-${digest}.txt`, import.meta.url), input);
  }
  broken += finds.length;
  await coverage.stop();
}
process.exitCode = broken === 0 ? 0 : 1;

/** Processor time of this thread in milliseconds; other programs on the machine do not count. */
async function processorMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
