// What versions cost that are out and bake: start-up and memory of Forge on a database with many of them, beside an empty one.
// `npm run bench:baking [-- --bakes <n> --rounds <n> --json <file>]`. Filling the database takes a twentieth of a second a bake.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createClient } from "@libsql/client";
import { backup } from "../src/store/backup.ts";
import { closeStore, openStore } from "../src/store/open-store.ts";
import { median, report } from "./report.ts";
import { openStage } from "./review/forge-process.ts";
import { bringToBake } from "./waiting/bring-to-bake.ts";
import { measureStart, type Start } from "./waiting/measure-start.ts";

const { values } = parseArgs({
  options: {
    bakes: { type: "string", default: "1000" },
    rounds: { type: "string", default: "5" },
    json: { type: "string" },
  },
});
const bakes = Number(values.bakes);
const folder = mkdtempSync(join(tmpdir(), "forge-bench-baking-"));
const filled = join(folder, "filled.db");
const file = join(folder, "baking.db");
const after = join(folder, "after.db");
try {
  const store = await openStore({ url: `file:${filled}` });
  await bringToBake(store, { installationId: await findInstallation(), count: bakes, at: new Date().toISOString() });
  // One file, without a log beside it.
  await backup(store, file);
  await closeStore(store);
  const before = await countBakes(file);
  if (before.waiting !== bakes) throw new Error(`${before.waiting} of ${bakes} deployments wait for their next look`);

  const full: Start[] = [];
  const empty: Start[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    empty.push(await measureStart(undefined));
    full.push(await measureStart(file, after));
  }
  const done = await countBakes(after);
  const of = (starts: readonly Start[], what: keyof Start) => median(starts.map((start) => start[what]));
  const readyS = of(full, "readyMs") / 1000;
  const grown = of(full, "megabytes") - of(empty, "megabytes");
  const requests = Math.max(...full.map((start) => start.requests)) - Math.max(...empty.map((start) => start.requests));
  const begun = done.jobs === before.jobs ? 0 : Number.NaN;
  const events = done.events - before.events;
  report(`${bakes.toLocaleString("en-US")} versions that bake. Baseline: Forge on an empty database`, [
    {
      ...{ name: "start until ready", value: readyS, unit: "s", baseline: of(empty, "readyMs") / 1000 },
      ...{ goal: "under 3 s", met: readyS < 3 },
    },
    { name: "memory some seconds later", value: of(full, "megabytes"), unit: "MB", baseline: of(empty, "megabytes") },
    { name: "  more than on an empty database", value: grown, unit: "MB", goal: "under 50 MB", met: grown < 50 },
    { name: "looks that were begun before their time", value: begun, unit: "", goal: "none", met: begun === 0 },
    { name: "events that were written", value: events, unit: "", goal: "none", met: events === 0 },
    { name: "calls of GitHub more than without them", value: requests, unit: "", goal: "none", met: requests <= 0 },
  ]);
} finally {
  rmSync(folder, { recursive: true });
}

/** The same in every stage. */
async function findInstallation(): Promise<number> {
  const stage = await openStage();
  await stage.end();
  return stage.repository.installationId;
}

/** Jobs of deployments with their tokens, which every claim raises; how many events there are, and how many deployments have a look to come. */
async function countBakes(path: string): Promise<{ jobs: string; events: number; waiting: number }> {
  const client = createClient({ url: `file:${path}` });
  const jobs = await client.execute("select id, token, state from jobs where kind = 'deploy' order by id");
  const counted = await client.execute(
    `select (select count(*) from events) as events, (select count(*) from runs where kind = 'deploy' and status = 'running'
      and exists (select 1 from jobs where run_id = trace_id and jobs.state = 'queued')) as waiting`,
  );
  client.close();
  const [row] = counted.rows;
  return { jobs: JSON.stringify(jobs.rows), events: Number(row?.events), waiting: Number(row?.waiting) };
}
