import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bareLoop, type Converse, forgeLoop } from "./loop/conversations.ts";
import { type Result, report } from "./report.ts";

/**
 * What the agent loop costs beside the model and the tools (LOOP-21): a model that answers at once from a process of its own, over HTTP;
 * events and checkpoint on disk every turn; against a bare loop over the SDK that keeps nothing, in the same run, by turns.
 * `--rounds <n>` sets how often each is measured.
 */
const at = process.argv.indexOf("--rounds");
const rounds = at === -1 ? 7 : Number(process.argv[at + 1]);
const CONVERSATIONS = 16;

const server = fork(fileURLToPath(new URL("loop/model-server.ts", import.meta.url)));
const [{ port }] = (await once(server, "message")) as [{ port: number }];
const directory = await mkdtemp(join(tmpdir(), "forge-bench-loop-"));
const url = `http://127.0.0.1:${port}`;
const forge = await forgeLoop(url, directory);
const bare = bareLoop(url);

/** Milliseconds of a turn. */
async function measure(converse: Converse, turns: number, conversations = 1): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: conversations }, () => converse(turns)));
  return (performance.now() - began) / (turns * conversations);
}

interface Times {
  readonly forge: number;
  readonly unstored: number;
  readonly bare: number;
}

/** Medians of all, taken in turn so that what disturbs the machine disturbs each. */
async function compare(turns: number, conversations = 1): Promise<Times> {
  const times: Times[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bareMs = await measure(bare, turns, conversations);
    const unstored = await measure(forge.unstored, turns, conversations);
    times.push({ bare: bareMs, unstored, forge: await measure(forge.converse, turns, conversations) });
  }
  const of = (name: keyof Times) => median(times.map((time) => time[name]));
  return { forge: of("forge"), unstored: of("unstored"), bare: of("bare") };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

await measure(bare, 50);
await measure(forge.converse, 50);
const short = await compare(50);
const long = await compare(200);
const many = await compare(50, CONVERSATIONS);
await forge.verify();
await forge.close();
await rm(directory, { recursive: true });
server.disconnect();

const against = (name: string, { forge: value, bare: baseline }: Times, most: number): Result => ({
  name,
  value,
  unit: "ms",
  baseline,
  goal: `at most ${most} times the bare SDK`,
  met: value <= most * baseline,
});
report("The agent loop, milliseconds a turn; the baseline is the bare SDK, but where another is named", [
  against("50 turns", short, 1.5),
  { name: "the same without storing", value: short.unstored, unit: "ms", baseline: short.bare },
  against("200 turns", long, 1.5),
  {
    name: "200 turns beside 50",
    value: long.forge,
    unit: "ms",
    baseline: short.forge,
    goal: "at most 1.5 times the turn of 50",
    met: long.forge <= 1.5 * short.forge,
  },
  { name: "the same of the bare SDK", value: long.bare, unit: "ms", baseline: short.bare },
  against(`${CONVERSATIONS} conversations at once, 50 turns each`, many, 2),
  { name: "the same without storing", value: many.unstored, unit: "ms", baseline: many.bare },
]);
