import { expect, it } from "vitest";
import { temporaryFolder } from "../store/databases.ts";
import { measureQuality } from "./recall-quality/measure.ts";

const folder = temporaryFolder();

it("MEM-2: finds the note behind a paraphrased question among the first five, four times out of five and more", async () => {
  const { recallWithKeywords, recallWithoutKeywords, porterAlone } = await measureQuality(folder());
  expect(recallWithKeywords.recallAt5).toBeGreaterThanOrEqual(0.8);
  expect(recallWithKeywords.strangers.count).toBeGreaterThan(30);
  expect(recallWithKeywords.strangers.recallAt5).toBeGreaterThanOrEqual(0.75);
  expect(recallWithKeywords.recallAt5).toBeGreaterThan(porterAlone.recallAt5);
  expect(recallWithoutKeywords.recallAt5).toBeGreaterThan(porterAlone.recallAt5);
});
