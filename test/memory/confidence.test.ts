import { expect, it } from "vitest";
import { fadedConfidence } from "../../src/memory/confidence.ts";
import { changed, daysLater, lesson, memories, SHOP, START } from "./fixtures.ts";

const open = memories();

it.each([
  ["at once", 0, 0.7],
  ["within a week", 6.99, 0.7],
  ["after a week", 7, 0.65],
  ["after three weeks and a half", 24, 0.55],
  ["never below 0", 400, 0],
  ["before it was used, by a clock that runs behind", -30, 0.7],
])("MEM-3: fades by 0.05 a week unused: %s", (_when, days, expected) => {
  expect(fadedConfidence(0.7, START, daysLater(days))).toBe(expected);
});

it("MEM-3: changes by what came of it, fades in the database as it does by rule, and stays in 0 to 1", async () => {
  const clock = { now: START };
  const memory = await open({ now: () => clock.now });
  const { id } = await memory.remember(lesson("Cache in Redis."));
  const stored = async () => {
    const [result] = await memory.store.queue.alone([{ sql: "select confidence from memories", args: [] }]);
    return result!.rows[0]!.confidence;
  };
  const seen: unknown[] = [];
  for (const use of ["applied", "confirmed", "confirmed", "dismissed"] as const) {
    const change = { memoryIds: [id, "M-UNKNOWN"], use, cause: `cause ${seen.length}` };
    await changed(memory.store, change, clock.now);
    // Told again it counts no more.
    await changed(memory.store, change, clock.now);
    seen.push(await stored());
  }
  expect(seen).toEqual([0.6, 0.8, 1, 0.8]);
  for (const days of [6.9, 7, 15, 30]) {
    const before = { confidence: Number(await stored()), at: clock.now };
    clock.now = new Date(Date.parse(before.at) + days * 86_400_000).toISOString();
    const { items } = await memory.recall({ scope: SHOP, text: "redis", purpose: "task", budgetTokens: 500 });
    expect(items[0]!.provenance.confidence).toBe(fadedConfidence(before.confidence, before.at, clock.now));
    expect(await stored()).toBe(items[0]!.provenance.confidence);
  }
  for (let at = 0; at < 6; at += 1) {
    await changed(memory.store, { memoryIds: [id], use: "dismissed", cause: `dismissal ${at}` }, clock.now);
  }
  expect(await stored()).toBe(0);
  const causes = "select cause, delta from memory_changes where memory_id <> 'M-UNKNOWN' order by rowid limit 4";
  const [known] = await memory.store.queue.alone([{ sql: causes, args: [] }]);
  expect(known!.rows.map(({ cause, delta }) => [cause, delta])).toEqual([
    ["cause 0", 0.1],
    ["cause 1", 0.2],
    ["cause 2", 0.2],
    ["cause 3", -0.2],
  ]);
});
