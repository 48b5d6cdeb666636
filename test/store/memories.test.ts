import { expect, it } from "vitest";
import { findMemoryWords, readMemoryChanges, readMemoryVersion } from "../../src/store/memories/read-memories.ts";
import { putMemory } from "../../src/store/memories/write-memories.ts";
import type { Store } from "../../src/store/store.ts";
import { onEveryDatabase } from "./databases.ts";
import { at } from "./fixtures.ts";

const SCOPE = { installationId: 7, repositoryId: 100 };
const ORGANISATION = { installationId: 7 };

function put(store: Store, id: string, content: string, scope: typeof SCOPE | typeof ORGANISATION = SCOPE) {
  const said = { context: "", tags: [], keywords: [], cites: [], metadata: {} };
  return putMemory(store, { id, scope, type: "semantic", origin: "model", confidence: 0.5, content, ...said }, at(1));
}

function run(store: Store, sql: string) {
  return store.queue.alone([{ sql, args: [] }]);
}

onEveryDatabase((open) => {
  it("DATA-1: the index of words follows what is written, put away, brought back and deleted", async () => {
    const store = await open();
    const found = async (...words: string[]) => {
      const sequences = await findMemoryWords(store, {
        scopes: [SCOPE, ORGANISATION],
        types: ["semantic"],
        words,
        limit: 10,
      });
      return sequences.length;
    };
    await put(store, "M-1", "The cache is flushed nightly.");
    await put(store, "M-2", "Caches are warmed.", ORGANISATION);
    await put(store, "M-3", "Caching elsewhere.", { installationId: 7, repositoryId: 101 });
    expect(await found("caching")).toBe(2);
    await run(store, "update memories set content = 'Flush it by hand.' where id = 'M-1'");
    expect([await found("cache"), await found("hand")]).toEqual([1, 1]);
    await run(store, "update memories set archived = 1 where id = 'M-1'");
    expect(await found("hand")).toBe(0);
    await run(store, "update memories set archived = 0 where id = 'M-1'");
    expect(await found("hand")).toBe(1);
    await run(store, "update memories set type = 'procedural' where id = 'M-1'");
    expect(await found("hand")).toBe(0);
    await run(store, "delete from memories where id = 'M-2'");
    expect(await found("cache")).toBe(0);
  });

  it("counts each change of a scope, and tells the changes since a count in their order", async () => {
    const store = await open();
    expect(await readMemoryVersion(store, SCOPE)).toBeUndefined();
    await put(store, "M-1", "one");
    await put(store, "M-2", "two");
    const version = (await readMemoryVersion(store, SCOPE))!;
    await put(store, "M-9", "in another scope", ORGANISATION);
    await run(store, "update memories set access_count = 5, confidence = confidence");
    expect(await readMemoryVersion(store, SCOPE)).toEqual(version);
    await run(store, "update memories set confidence = 0.6 where id = 'M-1'");
    expect((await readMemoryVersion(store, SCOPE))!.revision).toBe(version.revision + 1);
    const since = (revision: number, limit = 10) => readMemoryChanges(store, SCOPE, { revision, limit });
    expect((await since(version.revision)).map(({ confidence }) => confidence)).toEqual([0.6]);
    const all = await since(0);
    expect(all.map(({ confidence }) => confidence)).toEqual([0.5, 0.6]);
    expect(await since(0, 1)).toEqual([all[0]]);
    await run(store, "delete from memories where id = 'M-1'");
    expect((await readMemoryVersion(store, SCOPE))!.deletions).toBe(version.deletions + 1);
  });

  it("leaves out of a question the words that are everywhere, where ranking by them would take long", async () => {
    const store = await open();
    await run(
      store,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5200)
       insert into memories (id, installation_id, repository_id, type, content, context, tags, keywords, confidence, origin, cites,
         metadata, created_at, updated_at, last_used_at)
       select 'M-' || i, 7, 100, 'semantic', 'common ' || case when i = 4000 then 'rare' else 'usual' end, '', '[]', '[]', 0.5, 'model',
         '[]', '{}', '${at(1)}', '${at(1)}', '${at(1)}' from n`,
    );
    const found = (words: string[]) =>
      findMemoryWords(store, { scopes: [SCOPE], types: ["semantic"], words, limit: 10 });
    expect(await found(["common", "rare"])).toHaveLength(1);
    expect(await found(["rare"])).toHaveLength(1);
    expect(await found(["common", "usual"])).toEqual([]);
  });
});
