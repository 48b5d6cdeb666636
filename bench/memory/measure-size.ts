import { join } from "node:path";
import { createClient } from "@libsql/client";
import { type Memory, openMemory } from "../../src/memory/open-memory.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { median, type Result } from "../report.ts";
import { leastOf, type Timing, timed } from "./blocking.ts";
import { type Filling, fillMemory } from "./fill.ts";

const QUESTIONS = 25;
/** Each question is asked so often and the shortest counts: what the machine did beside falls away, what we do comes back each time. */
const ROUNDS = 3;

/** What recall costs with so many memories in one repository, beside porter alone. */
export async function measureSize(folder: string, count: number, goalMs: number): Promise<Result[]> {
  const url = `file:${join(folder, `${count}.db`)}`;
  const store = await openStore({ url });
  const dependencies = {
    store,
    redact: createRedactor([]),
    estimateTokens: (text: string) => Math.ceil(text.length / 4),
  };
  const filling = await fillMemory(openMemory(dependencies), count, count);
  const questions = Array.from({ length: QUESTIONS }, () => filling.ask());
  const porterMs = await porterAlone(url, questions);

  const starts: Timing[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const memory = openMemory(dependencies);
    starts.push(await timed(() => recallOne(memory, filling, questions[0]!)));
  }
  const start = leastOf(starts);
  const memory = openMemory(dependencies);
  const recalls = await eachAsked(questions, (question) => recallOne(memory, filling, question));
  const contexts = await eachAsked(questions, (question) => buildContext(memory, filling, question));
  await closeStore(store);

  const ms = median(recalls.map((one) => one.ms));
  const slowest = Math.max(...recalls.map((one) => one.ms));
  const context = median(contexts.map((one) => one.ms));
  const blocked = Math.max(start.blockedMs, ...recalls.map((one) => one.blockedMs));
  const of = `of ${count.toLocaleString("en-US")}`;
  return [
    { name: `recall ${of}`, value: ms, unit: "ms", baseline: porterMs, ...under(goalMs, ms) },
    { name: "  processor time of it", value: median(recalls.map((one) => one.cpuMs)), unit: "ms" },
    { name: `  slowest of ${QUESTIONS} questions`, value: slowest, unit: "ms", baseline: porterMs },
    { name: "  first after a start: reads all vectors", value: start.ms, unit: "ms" },
    { name: "  longest block of the event loop, start included", value: blocked, unit: "ms", ...under(50, blocked) },
    {
      name: `context of a task ${of}: two recalls, selection, text`,
      value: context,
      unit: "ms",
      ...(count === 10_000 ? under(200, context) : {}),
    },
  ];
}

function under(limit: number, value: number): Pick<Result, "goal" | "met"> {
  return { goal: `under ${limit} ms`, met: value < limit };
}

async function eachAsked(questions: readonly string[], ask: (question: string) => Promise<unknown>): Promise<Timing[]> {
  const timings: Timing[] = [];
  for (const question of questions) {
    const rounds: Timing[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await timed(() => ask(question)));
    timings.push(leastOf(rounds));
  }
  return timings;
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

/** The words asked in SQL, ten memories back, in ms; the tables are those of Forge. */
async function porterAlone(url: string, questions: readonly string[]): Promise<number> {
  const client = createClient({ url });
  const timings = await eachAsked(questions, (question) => {
    const words = question.split(" ").map((word) => `"${word}"`);
    return client.execute({
      sql: `select m.id, m.content from (select rowid, rank from memory_words where memory_words match ? order by rank limit 10) w
            join memories m on m.sequence = w.rowid order by w.rank`,
      args: [words.join(" OR ")],
    });
  });
  client.close();
  return median(timings.map(({ ms }) => ms));
}
