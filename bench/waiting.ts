// What runs cost that wait for people: start-up and memory of Forge on a database with many of them, beside an empty one.
// `npm run bench:waiting [-- --runs <n> --rounds <n> --json <file>]`. Filling the database takes a tenth of a second a run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@libsql/client";
import { backup } from "../src/store/backup.ts";
import { closeStore, openStore } from "../src/store/open-store.ts";
import { putToWait } from "../test/e2e/waiting-runs.ts";
import { median, report } from "./report.ts";
import { openStage } from "./review/forge-process.ts";
import { measureStart, type Start } from "./waiting/measure-start.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
const folder = mkdtempSync(join(tmpdir(), "forge-bench-waiting-"));
const filled = join(folder, "filled.db");
const file = join(folder, "waiting.db");
const after = join(folder, "after.db");
try {
  const store = await openStore({ url: `file:${filled}` });
  const repository = { ...(await findRepository()), owner: "acme", name: "shop" };
  await putToWait(store, { repository, firstIssue: 1, count: runs, at: new Date().toISOString() });
  // One file, without a log beside it.
  await backup(store, file);
  await closeStore(store);
  const before = await countWork(file);
  if (before.waiting !== runs) throw new Error(`${before.waiting} of ${runs} runs wait`);

  const full: Start[] = [];
  const empty: Start[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    empty.push(await measureStart(undefined));
    full.push(await measureStart(file, after));
  }
  const done = await countWork(after);
  const of = (starts: readonly Start[], what: keyof Start) => median(starts.map((start) => start[what]));
  const readyS = of(full, "readyMs") / 1000;
  const grown = of(full, "megabytes") - of(empty, "megabytes");
  const requests = Math.max(...full.map((start) => start.requests)) - Math.max(...empty.map((start) => start.requests));
  const begun = done.jobs === before.jobs ? 0 : Number.NaN;
  const events = done.events - before.events;
  report(`${runs.toLocaleString("en-US")} runs that wait for people. Baseline: Forge on an empty database`, [
    {
      name: "start until ready",
      value: readyS,
      unit: "s",
      baseline: of(empty, "readyMs") / 1000,
      goal: "under 3 s",
      met: readyS < 3,
    },
    { name: "memory some seconds later", value: of(full, "megabytes"), unit: "MB", baseline: of(empty, "megabytes") },
    { name: "  more than on an empty database", value: grown, unit: "MB", goal: "under 50 MB", met: grown < 50 },
    { name: "jobs of theirs that were begun", value: begun, unit: "", goal: "none", met: begun === 0 },
    { name: "events that were written", value: events, unit: "", goal: "none", met: events === 0 },
    { name: "calls of GitHub more than without them", value: requests, unit: "", goal: "none", met: requests <= 0 },
  ]);
} finally {
  rmSync(folder, { recursive: true });
}

/** As every stage has it: runs on what is not there would be cancelled. Compiled code is kept from here on, too. */
async function findRepository(): Promise<{ id: number; installationId: number }> {
  const stage = await openStage();
  await stage.end();
  return stage.repository;
}

/** Jobs of the work on issues with their tokens, which every claim raises; how many events there are, and how many runs wait. */
async function countWork(path: string): Promise<{ jobs: string; events: number; waiting: number }> {
  const client = createClient({ url: `file:${path}` });
  const jobs = await client.execute("select id, token from jobs where kind = 'implement' order by id");
  const counted = await client.execute(
    "select (select count(*) from events) as events, (select count(*) from runs where status = 'waiting') as waiting",
  );
  client.close();
  const [row] = counted.rows;
  return { jobs: JSON.stringify(jobs.rows), events: Number(row?.events), waiting: Number(row?.waiting) };
}
