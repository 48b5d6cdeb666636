import { expect, it } from "vitest";
import { sealEvent } from "../../src/domain/events.ts";
import type { RecallQuestion } from "../../src/memory/find-candidates.ts";
import { changed, daysLater, lesson, memories, SHOP, START } from "./fixtures.ts";

const open = memories();
type Open = Awaited<ReturnType<typeof open>>;

function contents(memory: Open, text: string, change: Partial<RecallQuestion> = {}): Promise<string[]> {
  return memory
    .recall({ scope: SHOP, text, purpose: "task", budgetTokens: 1_000, ...change })
    .then(({ items }) => items.map(({ content }) => content));
}

it("MEM-2: finds by words, by their stems, by parts of names and by keywords", async () => {
  const memory = await open();
  await memory.remember(
    lesson("Invoices are locked while they are numbered.", { keywords: ["billing", "race condition"] }),
  );
  await memory.remember(lesson("Call retryBusy around every commit."));
  await memory.remember(lesson("Colours stand in the theme file."));
  expect(await contents(memory, "locking an invoice")).toEqual(["Invoices are locked while they are numbered."]);
  expect(await contents(memory, "billing")).toEqual(["Invoices are locked while they are numbered."]);
  expect(await contents(memory, "what to do when busy, retry?")).toEqual(["Call retryBusy around every commit."]);
  expect(await contents(memory, "kubernetes ingress")).toEqual([]);
  expect(await contents(memory, "")).toEqual([]);
  expect(await contents(memory, 'a" OR content:* NOT (')).toEqual([]);
});

it("MEM-2: sees its repository and its organisation, never another repository or installation", async () => {
  const memory = await open();
  await memory.remember(lesson("Deploy here."));
  await memory.remember(lesson("Deploy everywhere.", { scope: { installationId: 7 } }));
  await memory.remember(lesson("Deploy next door.", { scope: { installationId: 7, repositoryId: 101 } }));
  await memory.remember(lesson("Deploy at a stranger's.", { scope: { installationId: 8, repositoryId: 100 } }));
  await memory.remember(lesson("Deploy at strangers'.", { scope: { installationId: 8 } }));
  expect((await contents(memory, "deploy")).sort()).toEqual(["Deploy everywhere.", "Deploy here."]);
  expect(await contents(memory, "deploy", { scope: { installationId: 7 } })).toEqual(["Deploy everywhere."]);
});

it("MEM-2: tells episodes to reflection only, also when they are asked for by type", async () => {
  const memory = await open();
  await memory.remember(lesson("The build failed on Monday.", { type: "episodic" }));
  expect(await contents(memory, "build failed")).toEqual([]);
  expect(await contents(memory, "build failed", { types: ["episodic"] })).toEqual([]);
  expect(await contents(memory, "build failed", { purpose: "reflection" })).toEqual(["The build failed on Monday."]);
  expect(await contents(memory, "build failed", { purpose: "reflection", types: ["semantic"] })).toEqual([]);
});

it("MEM-2: filters by agent type, tags, confidence and similarity", async () => {
  const memory = await open();
  await memory.remember(lesson("Tests for all."));
  await memory.remember(lesson("Tests for the reviewer.", { agentType: "reviewer", tags: ["ci"] }));
  await memory.remember(lesson("Tests from production.", { origin: "outcome", tags: ["CI", "slow"] }));
  expect(await contents(memory, "tests", { agentType: "planner" })).not.toContain("Tests for the reviewer.");
  expect(await contents(memory, "tests", { agentType: "reviewer" })).toContain("Tests for the reviewer.");
  expect(await contents(memory, "tests", { agentType: "reviewer", requiredTags: ["ci"] })).toHaveLength(2);
  expect(await contents(memory, "tests", { requiredTags: ["ci", "Slow"] })).toEqual(["Tests from production."]);
  expect(await contents(memory, "tests", { minimumConfidence: 0.8 })).toEqual(["Tests from production."]);
  expect(await contents(memory, "tests for all", { minimumSimilarity: 0.99 })).toEqual(["Tests for all."]);
});

it("MEM-3, MEM-4: what somebody taught and three dismissals speak against is used no more, nor what nobody needed for weeks", async () => {
  const clock = { now: START };
  const memory = await open({ now: () => clock.now });
  const text = "Prices are kept as floats.";
  const { id } = await memory.remember(
    lesson(text, { origin: "person", taughtBy: { login: "ana", id: 1, kind: "user" } }),
  );
  await memory.remember(lesson("Prices are shown in euros."));
  const found = [];
  for (const cause of ["one", "two", "three"]) {
    found.push((await contents(memory, "prices")).includes(text));
    await changed(memory.store, { memoryIds: [id], use: "dismissed", cause }, clock.now);
  }
  expect(found).toEqual([true, true, true]);
  expect(await contents(memory, "prices")).toEqual(["Prices are shown in euros."]);
  expect(await contents(memory, "prices", { minimumConfidence: 0 })).toContain(text);
  clock.now = daysLater(6 * 7);
  expect(await contents(memory, "prices")).toEqual(["Prices are shown in euros."]);
  clock.now = daysLater(13 * 7);
  expect(await contents(memory, "prices")).toEqual([]);
});

it("MEM-2: prefers what has the tags of the question, what is believed more, and what is newer", async () => {
  const clock = { now: START };
  const memory = await open({ now: () => clock.now });
  const content = (name: string) => `The pipeline caches its packages in folder ${name}.`;
  await memory.remember(lesson(content("one")));
  await memory.remember(lesson(content("two"), { tags: ["docker"] }));
  await memory.remember(lesson(content("six"), { origin: "outcome" }));
  const text = "where does the pipeline cache packages";
  expect((await contents(memory, text))[0]).toBe(content("six"));
  expect((await contents(memory, text, { tags: ["Docker"] }))[0]).toBe(content("two"));
  clock.now = daysLater(1);
  const { id } = await memory.remember(lesson(content("six"), { origin: "outcome" }));
  await changed(memory.store, { memoryIds: [id], use: "dismissed", cause: "a dismissal" }, clock.now);
  clock.now = daysLater(200);
  await memory.remember(lesson(content("ten")));
  expect((await contents(memory, text))[0]).toBe(content("ten"));
});

it("MEM-2: gives at most ten, inside the budget, and says what the budget kept out", async () => {
  const memory = await open();
  for (let at = 0; at < 15; at += 1)
    await memory.remember(lesson(`Rule ${at} of the cache. ${"x".repeat(at === 3 ? 1_900 : 10)}`));
  expect(await contents(memory, "cache rule")).toHaveLength(10);
  expect(await contents(memory, "cache rule", { limit: 50 })).toHaveLength(10);
  expect(await contents(memory, "cache rule", { limit: 2 })).toHaveLength(2);
  const { items, tokens, event } = await memory.recall({
    scope: SHOP,
    text: "cache rule",
    purpose: "task",
    budgetTokens: 100,
  });
  expect(items.length).toBeGreaterThan(1);
  expect(items.length).toBeLessThan(10);
  expect(tokens).toBeLessThanOrEqual(100);
  expect(event.payload.beyondBudget).toBeGreaterThan(0);
  expect(await contents(memory, "cache rule", { budgetTokens: 0 })).toEqual([]);
});

it("MEM-2: marks what it returns as used, and nothing else; its event says what and from whom", async () => {
  const clock = { now: START };
  const memory = await open({ now: () => clock.now });
  await memory.remember(lesson("Cache in Redis."));
  await memory.remember(lesson("Paint it blue."));
  clock.now = daysLater(3);
  const { event, items } = await memory.recall({
    scope: SHOP,
    text: "redis cache",
    purpose: "task",
    budgetTokens: 500,
  });
  const [used] = await memory.store.queue.alone([
    { sql: "select content, access_count as count, last_used_at as at from memories order by sequence", args: [] },
  ]);
  expect(used!.rows.map((row) => ({ ...row }))).toEqual([
    { content: "Cache in Redis.", count: 1, at: daysLater(3) },
    { content: "Paint it blue.", count: 0, at: START },
  ]);
  const seal = {
    id: "0".repeat(26),
    traceId: "r",
    version: 1,
    at: START,
    source: "test",
    previousHash: "0".repeat(64),
  };
  expect(sealEvent(event, seal).payload).toMatchObject({
    query: "redis cache",
    items: [{ memoryId: items[0]!.id, provenance: { origin: "model", confidence: 0.5 } }],
  });
});

it("does not find what has expired", async () => {
  const clock = { now: START };
  const memory = await open({ now: () => clock.now });
  await memory.remember(lesson("The API is frozen.", { expiresAt: daysLater(2) }));
  expect(await contents(memory, "frozen api")).toHaveLength(1);
  clock.now = daysLater(2);
  expect(await contents(memory, "frozen api")).toEqual([]);
});
