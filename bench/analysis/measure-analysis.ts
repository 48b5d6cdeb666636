import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result } from "../report.ts";
import { watchResident } from "../resident-memory.ts";
import { commandLines } from "./command-lines.ts";
import { writeCorpus } from "./corpus.ts";

export const ANALYSIS_TITLE =
  "Analysis of TypeScript. Baseline: ESLint with the same rules, Biome and secretlint, one after the other";

const SELF = join(import.meta.dirname, "..", "analysis.ts");

/** Both layers over a corpus, twice, beside what people would run by hand over the same files. Takes about two minutes for 30 MB. */
export async function measureAnalysis(megabytes: number): Promise<Result[]> {
  const corpus = mkdtempSync(join(tmpdir(), "forge-corpus-"));
  try {
    const files = writeCorpus(corpus, megabytes * 1_000_000).length;
    mkdirSync(join(corpus, "data"));
    const byHand = [];
    for (const { name, args } of commandLines(corpus)) byHand.push({ name, ...(await run(args, corpus)) });
    const forge = [SELF, "--forge", corpus];
    const first = await run(forge, corpus);
    const again = await run(forge, corpus);
    const { hits, misses } = JSON.parse(again.output).cache;
    const seconds = byHand.reduce((sum, each) => sum + each.seconds, 0);
    const results: Result[] = [
      {
        name: `both layers, ${files} files, ${megabytes} MB`,
        value: first.seconds,
        unit: "s",
        baseline: seconds,
        goal: "ratio at most 1",
        met: first.seconds <= seconds,
      },
      ...byHand.map((each) => ({ name: `by hand: ${each.name}`, value: each.seconds, unit: "s" })),
      { name: "again after a push that touches one file", value: again.seconds, unit: "s", baseline: first.seconds },
      { name: "of its readings kept from before (hit rate)", value: (100 * hits) / (hits + misses), unit: "%" },
    ];
    if (first.megabytes !== undefined) {
      const name = "largest resident memory of Forge and its children";
      results.push({ name, value: first.megabytes, unit: "MB", goal: "under 1,000 MB", met: first.megabytes < 1000 });
    }
    return results;
  } finally {
    rmSync(corpus, { recursive: true, force: true });
  }
}

/** Runs a program of Node to its end. @throws when it ends with anything but 0 or 1 */
export async function run(args: readonly string[], cwd: string) {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const largest = watchResident(child.pid ?? 0);
  const ended = once(child, "exit");
  const output = (await child.stdout.toArray()).join("");
  const [code] = await ended;
  const megabytes = largest();
  if (code !== 0 && code !== 1) throw new Error(`${args[0]} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, output, megabytes };
}
