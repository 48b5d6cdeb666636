import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { replayRun } from "../../src/app/read-database.ts";
import { readingRuns } from "../../src/app/read-runs.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { upsertRuns } from "../../src/store/runs/upsert-runs.ts";
import { statement } from "../../src/store/statement.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-state-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const REPOSITORY = { id: 7, owner: "local", name: "shop", installationId: 1 };

/** A database with one run. */
async function keep(path: string, traceId: string, startedAt: string, kind = "issue"): Promise<void> {
  const store = await openStore({ url: pathToFileURL(path).href });
  const subject = { kind: kind as "issue", number: 1, repository: REPOSITORY };
  const heads = { headSha: "a", baseSha: "b", requestId: "r", version: 1 };
  await store.queue.alone(
    upsertRuns([{ traceId, kind: "implement", subject, status: "waiting", startedAt, ...heads }]),
  );
  await closeStore(store);
}

const idsOf = (runs: readonly { readonly runId: string }[]) => runs.map(({ runId }) => runId);

it("CLI-4: finds the runs of `forge run` next to those of the server, and without one", async () => {
  for (const checkout of ["1", "2"]) mkdirSync(join(folder, "checkouts", checkout), { recursive: true });
  await keep(join(folder, "checkouts", "1", "forge.db"), "01A", "2026-11-20T10:00:00.000Z");
  await keep(join(folder, "checkouts", "2", "forge.db"), "01B", "2026-11-20T12:00:00.000Z");
  const environment = { FORGE_DATA: folder, DATABASE_URL: pathToFileURL(join(folder, "server.db")).href };
  await readingRuns(environment, async ({ list, find, readIn }) => {
    expect(idsOf(await list({ limit: 10 }))).toEqual(["01B", "01A"]);
    expect(idsOf(await find("01A"))).toEqual(["01A"]);
    const urlOf = (id: string) => readIn(id, async ({ url }) => url);
    expect([await urlOf("01A"), await urlOf("01B")]).toEqual([
      expect.stringMatching(/checkouts\/1\/forge\.db$/),
      expect.stringMatching(/checkouts\/2\/forge\.db$/),
    ]);
    expect(() => urlOf("01C")).toThrow("was not looked up");
  });
  await keep(join(folder, "server.db"), "01S", "2026-11-20T11:00:00.000Z");
  await readingRuns(environment, async ({ latest }) => {
    expect(idsOf(await latest())).toEqual(["01B", "01S", "01A"]);
  });
});

it("CLI-3: says that Forge has not been started where there is no run at all", async () => {
  const environment = { FORGE_DATA: folder, DATABASE_URL: pathToFileURL(join(folder, "server.db")).href };
  await expect(readingRuns(environment, ({ list }) => list({ limit: 1 }))).rejects.toThrow("has not been started here");
});

it("CLI-4: names a checkout's database that cannot be read, and goes on with the others", async () => {
  for (const checkout of ["1", "2", "3"]) mkdirSync(join(folder, "checkouts", checkout), { recursive: true });
  const [good, damaged, foreign] = ["1", "2", "3"].map((name) => join(folder, "checkouts", name, "forge.db"));
  await keep(good!, "01A", "2026-11-20T10:00:00.000Z");
  writeFileSync(damaged!, "no database".repeat(1_000));
  await keep(foreign!, "01C", "2026-11-20T12:00:00.000Z", "issue of later");
  const environment = { FORGE_DATA: folder, DATABASE_URL: pathToFileURL(join(folder, "server.db")).href };
  const warned: string[] = [];
  const warn = (text: string) => void warned.push(text);
  await readingRuns(
    environment,
    async ({ list, find, jobs }) => {
      expect(await jobs()).toMatchObject({ queued: 0, running: 0 });
      expect(idsOf(await list({ limit: 10 }))).toEqual(["01A"]);
      expect(idsOf(await find("01"))).toEqual(["01A"]);
    },
    warn,
  );
  expect(warned).toEqual([
    expect.stringMatching(
      /^The database file:.*\/2\/forge\.db cannot be read: .*`.* run` in its checkout .*left out here\.$/,
    ),
    expect.stringMatching(/^The database file:.*\/3\/forge\.db cannot be read: it is damaged, or a different version/),
  ]);
  rmSync(join(folder, "checkouts", "1"), { recursive: true });
  await expect(readingRuns(environment, ({ list }) => list({ limit: 1 }), warn)).rejects.toThrow(
    /\/3\/forge\.db cannot/,
  );
  // The server's own is never left out.
  await keep(join(folder, "server.db"), "01S", "2026-11-20T11:00:00.000Z", "issue of later");
  await expect(readingRuns(environment, ({ list }) => list({ limit: 1 }), warn)).rejects.toThrow(
    /server\.db cannot be read: it is damaged, or a different version of Forge wrote it \(.*\)\. Is DATABASE_URL right\?/,
  );
});

it("CLI-4: `forge replay` of a run that another version wrote is one sentence", async () => {
  const server = join(folder, "server.db");
  await keep(server, "01S", "2026-11-20T11:00:00.000Z");
  const environment = { FORGE_DATA: folder, DATABASE_URL: pathToFileURL(server).href };
  const store = await openStore({ url: environment.DATABASE_URL });
  await store.queue.alone([statement(sql`alter table events rename column cost to price`)]);
  await closeStore(store);
  await expect(replayRun(["01S"], environment)).rejects.toThrow(
    /^The database file:.*server\.db cannot be read: .*no such column.*\. Is DATABASE_URL right\? `.* start` .* updates those of an older version\.$/,
  );
});
