import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { type Memory, openMemory } from "../src/memory/open-memory.ts";
import { createRedactor } from "../src/safety/redact.ts";
import { closeStore, openStore } from "../src/store/open-store.ts";
import { measureQuality, type Quality } from "../test/memory/recall-quality/measure.ts";
import { timed } from "./memory/blocking.ts";
import { type Filling, fillMemory } from "./memory/fill.ts";
import { median, type Result, report } from "./report.ts";

/**
 * What recall costs and what it finds, beside porter alone: FTS5 with its stemmer and BM25, asked in SQL for any of the question's words.
 * With the defaults it takes about two minutes, most of it to remember 110,000 notes; `--small` leaves out the 100,000.
 */
const QUESTIONS = 25;
const folder = mkdtempSync(join(tmpdir(), "forge-bench-memory-"));
const results: Result[] = [];

try {
  await measureSize(10_000, 30);
  if (!process.argv.includes("--small")) await measureSize(100_000, 150);
  const quality = await measureQuality(folder);
  results.push(
    ...qualityResults(
      "80 paraphrased questions over 100 notes, keywords",
      quality.recallWithKeywords,
      quality.porterAlone,
      0.8,
    ),
    ...qualityResults("the same without keywords", quality.recallWithoutKeywords, quality.porterAlone),
    ...qualityResults("porter with keywords", quality.porterWithKeywords, quality.porterAlone),
  );
  report("Memory. Baseline: porter alone, of the same memories, questions and database", results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureSize(count: number, goalMs: number): Promise<void> {
  const url = `file:${join(folder, `${count}.db`)}`;
  const store = await openStore({ url });
  const powers = { store, redact: createRedactor([]), estimateTokens: (text: string) => Math.ceil(text.length / 4) };
  const filling = await fillMemory(openMemory(powers), count, count);
  const questions = Array.from({ length: QUESTIONS }, () => filling.ask());
  const porterMs = await porterAlone(url, questions);

  const memory = openMemory(powers);
  const first = await timed(() => recallOne(memory, filling, questions[0]!));
  const rounds: { ms: number; blockedMs: number }[] = [];
  for (const question of questions) rounds.push(await timed(() => recallOne(memory, filling, question)));
  const ms = median(rounds.map((round) => round.ms));
  const blocked = Math.max(first.blockedMs, ...rounds.map((round) => round.blockedMs));
  const of = `of ${count.toLocaleString("en-US")}`;
  results.push(
    {
      name: `recall ${of}, median`,
      value: ms,
      unit: "ms",
      baseline: porterMs,
      goal: `under ${goalMs} ms`,
      met: ms < goalMs,
    },
    {
      name: `recall ${of}, slowest of ${QUESTIONS}`,
      value: Math.max(...rounds.map((round) => round.ms)),
      unit: "ms",
      baseline: porterMs,
    },
    { name: `first recall ${of} after a start: reads all vectors`, value: first.ms, unit: "ms" },
    {
      name: `longest block of the event loop ${of}`,
      value: blocked,
      unit: "ms",
      goal: "under 50 ms",
      met: blocked < 50,
    },
  );
  if (count === 10_000) {
    const whole: number[] = [];
    for (const question of questions) whole.push((await timed(() => buildContext(memory, filling, question))).ms);
    const context = median(whole);
    results.push({
      name: `context of a task ${of}: recall, selection, prompt text`,
      value: context,
      unit: "ms",
      goal: "under 200 ms",
      met: context < 200,
    });
  }
  await closeStore(store);
}

function recallOne(memory: Memory, { scope }: Filling, text: string) {
  return memory.recall({ scope, text, purpose: "task", agentType: "reviewer", budgetTokens: 2_000 });
}

/** As an agent perceives: what bears on the task, what reflection knows, and both as text. */
async function buildContext(memory: Memory, filling: Filling, text: string): Promise<string> {
  const task = await recallOne(memory, filling, text);
  const past = await memory.recall({ scope: filling.scope, text, purpose: "reflection", budgetTokens: 1_000 });
  return [...task.items, ...past.items].map(({ label, content }) => `${label}\n${content}`).join("\n\n");
}

/** The median of asking the words in SQL, ten memories back; the tables are those of Forge. */
async function porterAlone(url: string, questions: readonly string[]): Promise<number> {
  const client = createClient({ url });
  const times: number[] = [];
  for (const question of questions) {
    const words = question.split(" ").map((word) => `"${word}"`);
    const { ms } = await timed(() =>
      client.execute({
        sql: `select m.id, m.content from (select rowid, rank from memory_words where memory_words match ? order by rank limit 10) w
              join memories m on m.sequence = w.rowid order by w.rank`,
        args: [words.join(" OR ")],
      }),
    );
    times.push(ms);
  }
  client.close();
  return median(times);
}

function qualityResults(name: string, of: Quality, porter: Quality, goal?: number): Result[] {
  const percent = (share: number) => 100 * share;
  return [
    {
      name: `recall@5, ${name}`,
      value: percent(of.recallAt5),
      unit: "%",
      baseline: percent(porter.recallAt5),
      ...(goal === undefined ? {} : { goal: `at least ${percent(goal)} %`, met: of.recallAt5 >= goal }),
    },
    { name: "  first of all", value: percent(of.recallAt1), unit: "%", baseline: percent(porter.recallAt1) },
    {
      name: `  of the ${of.strangers.count} that share no word with the note`,
      value: percent(of.strangers.recallAt5),
      unit: "%",
      baseline: percent(porter.strangers.recallAt5),
    },
  ];
}
