import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureQuality, type Quality } from "../test/memory/recall-quality/measure.ts";
import { measureConsolidation } from "./memory/measure-consolidation.ts";
import { measureSize } from "./memory/measure-size.ts";
import { type Result, report } from "./report.ts";

/**
 * What recall costs and what it finds, beside porter alone: FTS5 with its stemmer and BM25, asked in SQL for any of the question's words.
 * It takes about two minutes, most of it to remember 110,000 notes; `--small` leaves out the 100,000.
 */
const folder = mkdtempSync(join(tmpdir(), "forge-bench-memory-"));
try {
  const results = await measureSize(folder, 10_000, 30);
  if (!process.argv.includes("--small")) results.push(...(await measureSize(folder, 100_000, 150)));
  results.push(...(await measureConsolidation(folder, 10_000)));
  const quality = await measureQuality(folder);
  results.push(
    ...found("recall@5, 80 paraphrased questions over 100 notes", quality.recallWithKeywords, quality.porterAlone, 80),
    ...found("recall@5 without keywords", quality.recallWithoutKeywords, quality.porterAlone),
    ...found("recall@5 of porter with keywords", quality.porterWithKeywords, quality.porterAlone),
  );
  report("Memory. Baseline: porter alone, of the same memories, questions and database", results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function found(name: string, of: Quality, porter: Quality, goal?: number): Result[] {
  const line = (label: string, share: (quality: Quality) => number): Result => {
    return { name: label, value: 100 * share(of), unit: "%", baseline: 100 * share(porter) };
  };
  const all = line(name, ({ recallAt5 }) => recallAt5);
  return [
    goal === undefined ? all : { ...all, goal: `at least ${goal} %`, met: all.value >= goal },
    line("  first of all", ({ recallAt1 }) => recallAt1),
    line(`  of the ${of.strangers.count} that share no word with the note`, ({ strangers }) => strangers.recallAt5),
  ];
}
