import { join } from "node:path";
import { afterEach } from "vitest";
import { createIdMaker } from "../../src/domain/ids.ts";
import { confidenceChange } from "../../src/memory/confidence.ts";
import type { Lesson } from "../../src/memory/lesson.ts";
import { type MemoryOptions, openMemory } from "../../src/memory/open-memory.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { commitDecision } from "../../src/store/commit-decision.ts";
import { closeStore, openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { temporaryFolder } from "../store/databases.ts";

export const SHOP = { installationId: 7, repositoryId: 100 };
export const ANA = { login: "ana", id: 11, kind: "user" } as const;
export const START = "2026-11-02T10:00:00.000Z";

/** `START` and so many days. */
export function daysLater(days: number): string {
  return new Date(Date.parse(START) + days * 24 * 60 * 60 * 1000).toISOString();
}

export function lesson(content: string, change: Partial<Lesson> = {}): Lesson {
  return { scope: SHOP, type: "semantic", origin: "model", content, ...change };
}

export const dependencies = {
  redact: createRedactor([]),
  estimateTokens: (text: string) => Math.ceil(text.length / 4),
  now: () => START,
};

/** Changes how far memories are believed, as a decision writes it. */
export function changed(store: Store, change: Parameters<typeof confidenceChange>[0], at: string) {
  return commitDecision(store, {
    ...{ appends: [], memories: [confidenceChange(change)], at, makeId: createIdMaker(), source: "test" },
  });
}

/** A memory over a new file, closed after the test. */
export function memories(): (
  options?: Partial<MemoryOptions>,
) => Promise<ReturnType<typeof openMemory> & { store: Store }> {
  const folder = temporaryFolder();
  const stores: Store[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await closeStore(store);
  });
  return async (options) => {
    const store = await openStore({ url: `file:${join(folder(), "forge.db")}` });
    stores.push(store);
    return { store, ...openMemory({ store, ...dependencies, ...options }) };
  };
}
