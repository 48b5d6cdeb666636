import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createIdMaker } from "../../src/domain/ids.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { readChangesAfter } from "../../src/store/events/tail.ts";
import { memoryLog } from "../../src/store/memories/consolidation.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { at, happened } from "./fixtures.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "forge-tail-"));
  store = await openStore({ url: `file:${join(folder, "forge.db")}` });
});
afterEach(async () => {
  await closeStore(store);
  rmSync(folder, { recursive: true, force: true });
});

it("OPS-2: a change of memories belongs to their repository, not to one that has the number of the installation", async () => {
  const logs = [
    "pull_request:100:1",
    memoryLog({ installationId: 7, repositoryId: 100 }),
    memoryLog({ installationId: 7 }),
  ];
  for (const traceId of logs) {
    const appends = [{ traceId, expectedVersion: 0, events: [happened()] }];
    await commitDecision(store, { appends, at: at(0), makeId: createIdMaker(), source: "test" });
  }
  const { changes } = await readChangesAfter(store, 0, 10);
  expect(changes.map(({ traceId, repositoryId }) => [traceId, repositoryId])).toEqual([
    [logs[0], 100],
    [logs[1], 100],
  ]);
});
