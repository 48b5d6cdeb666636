import { createClient } from "@libsql/client";
import { expect, it, vi } from "vitest";
import { readEvents } from "../../src/store/events/read-events.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { findActiveRun, readRun } from "../../src/store/runs/read-runs.ts";
import { endEach } from "./end-world.ts";
import { CLEAN, openPull } from "./pulls.ts";
import { putToWait } from "./waiting-runs.ts";
import { createWorld, type World } from "./world.ts";

let world: World;
endEach(() => world);

const HOUR = 3_600_000;

/** Jobs of the work on issues, each with its token: whoever claims one raises that, and whoever is done with one deletes it. */
async function jobs(): Promise<unknown> {
  const client = createClient({ url: world.config.database.url });
  const { rows } = await client.execute("select id, token, run_at from jobs where kind = 'implement' order by id");
  client.close();
  return rows;
}

it("PIPE-8: runs that wait for people cost nothing: nobody begins with them before their deadlines, and GitHub is not asked", async () => {
  world = await createWorld({ start: false });
  const repository = { id: 1004, owner: "acme", name: "shop", installationId: 1007 };
  const store = await openStore({ url: world.config.database.url });
  const at = world.clock.now().toISOString();
  const ids = await putToWait(store, { repository, firstIssue: 500, count: 9, at });
  const before = await Promise.all(ids.map((id) => readEvents(store, id)));
  await closeStore(store);
  const waiting = await jobs();
  expect(waiting).toHaveLength(6);

  const forge = await world.start();
  await world.settled();
  for (const [index, id] of ids.entries()) {
    expect((await readRun(forge.store, id))?.status).toBe("waiting");
    expect(await readEvents(forge.store, id)).toEqual(before[index]);
  }
  expect(await jobs()).toEqual(waiting);
  const about = world.github.requests.filter(({ path }) => /\/(?:issues|pulls)\/\d/.test(path));
  expect(about).toEqual([]);

  // The plan waits for a day, the question for a week, and who is asked to merge for ever.
  world.clock.advance(25 * HOUR);
  await world.settled();
  const types = await Promise.all(ids.map(async (id) => (await readEvents(forge.store, id)).map(({ type }) => type)));
  expect(types.map((each) => each.includes("gate.timeout"))).toEqual(ids.map((_, index) => index % 3 === 0));
  expect(await findActiveRun(forge.store, { kind: "issue", repository, number: 501 }, "implement")).toBeDefined();
});

it("GH-12a: a check that was left in progress, with nobody at work on it, is completed by a new review", async () => {
  world = await createWorld({ environment: { FORGE_DEBOUNCE_SECONDS: "3600" } });
  const { github } = world;
  const { number } = await openPull(world, { "total.ts": CLEAN }, { branch: "left" });
  await vi.waitFor(() => expect(github.pullRequest("acme/shop", number).checkRuns).toHaveLength(1), 300_000);
  await world.stop();
  // As somebody has it who lost what was decided: the run is over, and nothing is to be written.
  const client = createClient({ url: world.config.database.url });
  await client.batch([
    "update runs set status = 'failed'",
    "update effects set state = 'obsolete' where state in ('planned', 'sending')",
    "delete from jobs",
  ]);
  client.close();
  expect(github.pullRequest("acme/shop", number).checkRuns[0]?.status).not.toBe("completed");

  await world.start();
  const done = { name: "forge/review", status: "completed", conclusion: "success" };
  await vi.waitFor(() => expect(github.pullRequest("acme/shop", number).checkRuns).toMatchObject([done]), 300_000);
  await world.settled();
});
