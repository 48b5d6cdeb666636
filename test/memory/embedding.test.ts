import { expect, it } from "vitest";
import { endpointEmbedder } from "../../src/memory/endpoint-embedding.ts";
import { localEmbedder } from "../../src/memory/open-memory.ts";
import { lesson, memories, SHOP } from "./fixtures.ts";

const open = memories();

async function similarity(a: string, b: string): Promise<number> {
  const [left, right] = await localEmbedder().embed([a, b]);
  return left!.reduce((sum, value, at) => sum + value * right![at]!, 0);
}

it("MEM-5: needs no model: the same words are the same, related words near, others far", async () => {
  expect(await similarity("The cache lives in Redis", "redis, where the CACHE lives")).toBeCloseTo(1, 5);
  expect(await similarity("transaction", "transactional")).toBeGreaterThan(0.5);
  expect(await similarity("getUserById", "user id")).toBeGreaterThan(0.4);
  expect(Math.abs(await similarity("kubernetes ingress", "integer cents"))).toBeLessThan(localEmbedder().noise);
  expect(await similarity("", "anything")).toBe(0);
});

it("MEM-5: a change of the method embeds anew in batches, and recall works meanwhile", async () => {
  const before = await open();
  for (let at = 0; at < 5; at += 1) await before.remember(lesson(`Rule ${at} of the cache.`));
  const asked: number[] = [];
  const embedder = endpointEmbedder({
    model: "vectors-2",
    dimensions: 3,
    request: (texts) => {
      asked.push(texts.length);
      return Promise.resolve(texts.map(() => [3, 0, 4]));
    },
  });
  const after = await open({ embedder, store: before.store });
  const recalled = async () =>
    (await after.recall({ scope: SHOP, text: "cache", purpose: "task", budgetTokens: 900 })).items;
  expect((await recalled()).map((item) => item.similarity)).toEqual([0, 0, 0, 0, 0]);
  expect([await after.renewEmbeddings(2), await after.renewEmbeddings(2)]).toEqual([2, 2]);
  expect((await recalled()).filter((item) => item.similarity > 0.99)).toHaveLength(4);
  expect([await after.renewEmbeddings(2), await after.renewEmbeddings(2)]).toEqual([1, 0]);
  expect((await recalled()).map((item) => Math.round(item.similarity))).toEqual([1, 1, 1, 1, 1]);
  expect(asked).toEqual([1, 2, 2, 1, 1, 1]);
});

it("MEM-5: takes nothing from an endpoint that answers with other vectors than it was asked for", async () => {
  const code = (answer: number[][], texts = ["a"]) =>
    endpointEmbedder({ model: "m", dimensions: 2, request: () => Promise.resolve(answer) })
      .embed(texts)
      .then(
        (vectors) => [...vectors[0]!],
        (error: { code: string }) => error.code,
      );
  expect(await code([[3, 4]])).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6)]);
  expect(await code([[1, 2, 3]])).toBe("embedding_invalid");
  expect(await code([])).toBe("embedding_invalid");
  expect(await code([[Number.NaN, 1]])).toBe("embedding_invalid");
  const batches: number[] = [];
  const many = endpointEmbedder({
    model: "m",
    dimensions: 1,
    request: (texts) => {
      batches.push(texts.length);
      return Promise.resolve(texts.map(() => [1]));
    },
  });
  expect(await many.embed(Array.from({ length: 130 }, String))).toHaveLength(130);
  expect(batches).toEqual([64, 64, 2]);
});
