import { expect, it } from "vitest";
import { openMemory } from "../../src/memory/open-memory.ts";
import { createVectorCache } from "../../src/memory/vector-cache.ts";
import { deleteInstallation } from "../../src/store/delete-installation.ts";
import { onEveryDatabase } from "../store/databases.ts";
import { dependencies, lesson, SHOP } from "./fixtures.ts";

const ask = (text: string) => ({ scope: SHOP, text, purpose: "task", budgetTokens: 1_000 }) as const;

onEveryDatabase((open) => {
  it("sees what another process remembered, changed, archived and deleted", async () => {
    const store = await open();
    const [writer, reader] = [openMemory({ store, ...dependencies }), openMemory({ store, ...dependencies })];
    // Nothing but the vectors can find it: the question shares no whole word with it.
    const found = async () => (await reader.recall(ask("retryBusyTransaction"))).items.map(({ content }) => content);
    expect(await found()).toEqual([]);
    const { id } = await writer.remember(lesson("retryBusyTransactions"));
    expect(await found()).toEqual(["retryBusyTransactions"]);
    await writer.remember(lesson("retryBusyTransactional"));
    expect((await found()).sort()).toEqual(["retryBusyTransactional", "retryBusyTransactions"]);
    await store.queue.alone([{ sql: "update memories set archived = 1 where id = ?", args: [id] }]);
    expect(await found()).toEqual(["retryBusyTransactional"]);
    await store.queue.alone([
      {
        sql: "update memories set archived = 0, embedding = ?, embedding_method = 'other:1' where id = ?",
        args: [Buffer.alloc(1_024), id],
      },
    ]);
    expect(
      (await reader.recall(ask("transactional"))).items.map(({ similarity }) => similarity).every((one) => one > 0),
    ).toBe(true);
    expect(await writer.renewEmbeddings(10)).toBe(1);
    expect((await found()).sort()).toEqual(["retryBusyTransactional", "retryBusyTransactions"]);
    await store.queue.alone([{ sql: "delete from memories where id = ?", args: [id] }]);
    expect(await found()).toEqual(["retryBusyTransactional"]);
  });

  it("DATA-2: forgets memories with their installation, and begins anew when it comes back", async () => {
    const store = await open();
    const memory = openMemory({ store, ...dependencies });
    await memory.remember(lesson("The cache lives in Redis."));
    await memory.remember(lesson("The cache lives in memory.", { scope: { installationId: 8, repositoryId: 5 } }));
    expect((await memory.recall(ask("cache"))).items).toHaveLength(1);
    await deleteInstallation(store, SHOP.installationId);
    expect((await memory.recall(ask("cache"))).items).toEqual([]);
    const [words] = await store.queue.alone([
      { sql: "select count(*) as n from memory_words where memory_words match 'cache'", args: [] },
    ]);
    expect(Number(words!.rows[0]!.n)).toBe(1);
    await memory.remember(lesson("The cache is gone."));
    expect((await memory.recall(ask("cache"))).items.map(({ content }) => content)).toEqual(["The cache is gone."]);
  });

  it("gives back the very numbers of a vector", async () => {
    const store = await open();
    const vector = Float32Array.of(0.6, -0.8, 0, 0, 0);
    const embedder = { method: "test:5", dimensions: 5, noise: 0.1, embed: () => Promise.resolve([vector]) };
    await openMemory({ store, ...dependencies, embedder }).remember(lesson("Five numbers."));
    const cache = createVectorCache({ store, method: "test:5", dimensions: 5, maximumBytes: 1e6 });
    const near = await (await cache.vectorsOf(SHOP))!.nearest(vector, () => true, 3);
    expect(near).toEqual([{ sequence: expect.any(Number), similarity: expect.closeTo(1, 6) }]);
  });

  it("keeps the vectors of the scopes asked for last, within its bytes; a scope beyond them is recalled by words", async () => {
    const store = await open();
    const one = openMemory({ store, ...dependencies });
    const scopes = [1, 2, 3].map((repositoryId) => ({ installationId: 7, repositoryId }));
    for (const scope of scopes) await one.remember(lesson("The cache lives in Redis.", { scope }));
    const options = { store, method: "local-1:256", dimensions: 256 };
    const blockBytes = 256 * 256 * 4 + 200;
    const cache = createVectorCache({ ...options, maximumBytes: 2 * blockBytes });
    const [first, second] = [await cache.vectorsOf(scopes[0]!), await cache.vectorsOf(scopes[1]!)];
    expect(await cache.vectorsOf(scopes[0]!)).toBe(first);
    await cache.vectorsOf(scopes[2]!);
    expect(await cache.vectorsOf(scopes[0]!)).toBe(first);
    expect(await cache.vectorsOf(scopes[1]!)).not.toBe(second);
    const small = openMemory({ store, ...dependencies, cacheBytes: blockBytes - 1 });
    for (let round = 0; round < 2; round += 1) {
      const { items, event } = await small.recall({ ...ask("cache"), scope: scopes[0]! });
      expect(items).toHaveLength(1);
      expect(event.payload.wordsOnly).toBe(true);
    }
  });
});
