import { join } from "node:path";
import { createIdMaker } from "../../src/domain/ids.ts";
import { consolidate } from "../../src/memory/consolidate.ts";
import { localEmbedder, openMemory } from "../../src/memory/open-memory.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Result } from "../report.ts";
import { timed } from "./blocking.ts";
import { fillMemory } from "./fill.ts";

/**
 * Tidying so many memories for the first time: of ten one says again what an earlier one says, one is an order against another one, and one was
 * not used for a quarter of a year; then a second time, when nothing is left to do.
 */
export async function measureConsolidation(folder: string, count: number): Promise<Result[]> {
  const store = await openStore({ url: `file:${join(folder, "consolidation.db")}` });
  const memory = openMemory({
    store,
    redact: createRedactor([]),
    estimateTokens: (text) => Math.ceil(text.length / 4),
  });
  const { scope } = await fillMemory(memory, count, count, { again: 0.1, against: 0.1 });
  const long = new Date(Date.now() - 100 * 86_400_000).toISOString();
  await store.queue.alone([
    { sql: "update memories set last_used_at = ?, confidence = 1 where sequence % 10 = 0", args: [long] },
  ]);
  const dependencies = {
    store,
    embedder: localEmbedder(),
    now: () => new Date().toISOString(),
    makeId: createIdMaker(),
  };
  const results: Result[] = [];
  for (const name of ["consolidation", "  once more"]) {
    let found = "";
    const { ms, cpuMs, blockedMs, blockedCpuMs } = await timed(async () => {
      const { looked, linked, pruned, archived } = await consolidate(dependencies, scope, new AbortController().signal);
      found = `${looked} looked at, ${linked} linked, ${pruned} pruned, ${archived} archived`;
    });
    results.push(
      {
        name: `${name} of ${count.toLocaleString("en-US")}: ${found}`,
        value: ms,
        unit: "ms",
        goal: "under 10 s",
        met: ms < 10_000,
      },
      { name: "  processor time of it", value: cpuMs, unit: "ms" },
      {
        name: "  longest block of the event loop",
        value: blockedMs,
        unit: "ms",
        goal: "under 50 ms",
        met: blockedMs < 50,
      },
      { name: "  longest in processor time", value: blockedCpuMs, unit: "ms" },
    );
  }
  await closeStore(store);
  return results;
}
