import { expect, it } from "vitest";
import { createBreathing, createScopeVectors } from "../../src/memory/scope-vectors.ts";
import type { MemoryEntry } from "../../src/store/memories/read-memories.ts";

/** A vector of length 1 and 7 dimensions, another one for each number. */
function vectorOf(number: number): Float32Array {
  const vector = Float32Array.from({ length: 7 }, (_, at) => Math.sin(number * 7.3 + at * 1.7));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function entry(sequence: number, change: Partial<MemoryEntry> = {}): MemoryEntry {
  const embedding = { method: "m", vector: vectorOf(sequence) };
  return {
    sequence,
    group: sequence,
    revision: sequence,
    archived: false,
    type: "semantic",
    tags: [],
    confidence: 0.5,
    embedding,
    ...change,
  };
}

it("finds the same as comparing with each, over many blocks, in the order of their nearness", async () => {
  const vectors = createScopeVectors(7, 0);
  for (let sequence = 1; sequence <= 900; sequence += 1) vectors.put(entry(sequence));
  // Replaced: what it was is not found any more.
  vectors.put(entry(17, { embedding: { method: "m", vector: vectorOf(5_000) } }));
  vectors.put(entry(18, { embedding: { method: "m", vector: Float32Array.of(1) } }));
  const asked = vectorOf(17.01);
  const number = (sequence: number) => (sequence === 17 ? 5_000 : sequence);
  const expected = Array.from({ length: 900 }, (_, at) => at + 1)
    .filter((sequence) => sequence !== 18 && sequence % 3 !== 0)
    .map((sequence) => {
      const similarity = vectorOf(number(sequence)).reduce((sum, value, at) => sum + value * asked[at]!, 0);
      return { sequence, similarity: expect.closeTo(similarity, 5), exact: similarity };
    })
    .sort((a, b) => b.exact - a.exact)
    .slice(0, 20)
    .map(({ sequence, similarity }) => ({ sequence, similarity }));
  expect(await vectors.nearest(asked, ({ sequence }) => sequence % 3 !== 0, 20)).toEqual(expected);
  expect(vectors.similarityOf(18, asked)).toBeUndefined();
  expect(vectors.similarityOf(901, asked)).toBeUndefined();
});

it("gives others their turn when a piece of work has been long, and not before", async () => {
  let now = 0;
  const breathe = createBreathing(() => now);
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  await breathe();
  expect(others).toBe(0);
  now += 12;
  await breathe();
  expect(others).toBe(1);
});
