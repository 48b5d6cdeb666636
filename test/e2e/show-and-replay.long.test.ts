import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { listRuns } from "../../src/store/runs/read-runs.ts";
import { CLEAN, FAULTY, openPull } from "./pulls.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.end());

/** `forge <args>` in a process of its own beside the running one. */
async function forge(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, DATABASE_URL: world.config.database.url };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["src/main.ts", ...args], { env });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

it("EVT-3, PIPE-2: a run is shown and made anew from its events, and what was changed by hand is found", async () => {
  world = await createWorld();
  await openPull(world, { "src/same.ts": FAULTY }, { branch: "topic" });
  await world.settled();
  await world.github.commit("acme/shop", "topic", { files: { "src/same.ts": CLEAN }, message: "Mend", author: "ana" });
  await world.settled();
  const { store } = world.forge!;
  const [latest, first] = (await listRuns(store, { limit: 10 })).map(({ traceId }) => traceId);

  const shown = await forge("show", first!, "--log");
  expect(shown.out.split("\n")[0]).toMatch(/^acme\/shop#1, review at [0-9a-f]{7}: did not pass, /);
  expect(shown.out).toMatch(/finding\.detected +F-[0-9A-Z]{4} error \S+ src\/same\.ts:3/);
  expect(shown.out).toContain("run.completed");
  const json = JSON.parse((await forge("show", latest!, "--log", "--json")).out);
  expect(json[0]).toMatchObject({ type: "run.started", version: 1, traceId: latest });

  expect((await forge("replay", first!)).out).toMatch(/^\S+: the same state from \d+ events, 2 findings\n$/);
  expect((await forge("replay", latest!)).code).toBe(0);

  await store.queue.alone([
    { sql: "update runs set status = 'failed' where trace_id = ?", args: [first!] },
    { sql: "update findings set state = 'dismissed'", args: [] },
  ]);
  const differs = await forge("replay", first!);
  expect(differs.code).toBe(1);
  expect(differs.out).toContain('run.status: events "completed", tables "failed"');
  expect(differs.out).toMatch(/F-[0-9A-Z]{4}\.state: events "fixed", tables "dismissed"/);
});

it("OPS-1: names the runs that a beginning could mean, and the latest ones when it means none", async () => {
  world = await createWorld();
  await openPull(world, { "src/total.ts": CLEAN }, { branch: "topic" });
  await world.settled();
  const [run] = await listRuns(world.forge!.store, { limit: 1 });
  for (const args of [["show"], ["replay"], ["replay", "nosuchrun"], ["show", "%"]]) {
    const { code, err } = await forge(...args);
    expect([args, code]).toEqual([args, 64]);
    expect(err).toContain(`${run!.traceId}  review  acme/shop#1  passed`);
  }
});
