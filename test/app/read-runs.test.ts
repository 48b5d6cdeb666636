import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readingRuns } from "../../src/app/read-runs.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import { upsertRuns } from "../../src/store/runs/upsert-runs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-state-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const REPOSITORY = { id: 7, owner: "local", name: "shop", installationId: 1 };

/** A database with one run. */
async function keep(path: string, traceId: string, startedAt: string): Promise<void> {
  const store = await openStore({ url: pathToFileURL(path).href });
  const subject = { kind: "issue", number: 1, repository: REPOSITORY } as const;
  const heads = { headSha: "a", baseSha: "b", requestId: "r", version: 1 };
  await store.queue.alone(
    upsertRuns([{ traceId, kind: "implement", subject, status: "waiting", startedAt, ...heads }]),
  );
  await closeStore(store);
}

const idsOf = (runs: readonly { readonly traceId: string }[]) => runs.map(({ traceId }) => traceId);

it("CLI-4: finds the runs of `forge run` next to those of the server, and without one", async () => {
  for (const checkout of ["1", "2"]) mkdirSync(join(folder, "checkouts", checkout), { recursive: true });
  await keep(join(folder, "checkouts", "1", "forge.db"), "01A", "2026-11-20T10:00:00.000Z");
  await keep(join(folder, "checkouts", "2", "forge.db"), "01B", "2026-11-20T12:00:00.000Z");
  const environment = { FORGE_DATA: folder, DATABASE_URL: pathToFileURL(join(folder, "server.db")).href };
  await readingRuns(environment, async ({ list, find, storeOf }) => {
    expect(idsOf(await list({ limit: 10 }))).toEqual(["01B", "01A"]);
    expect(idsOf(await find("01A"))).toEqual(["01A"]);
    expect(storeOf("01A")).not.toBe(storeOf("01B"));
    expect(() => storeOf("01C")).toThrow("was not looked up");
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
