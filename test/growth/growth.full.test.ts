import { afterAll, describe, expect, it } from "vitest";
import { startOperations } from "./operations.ts";

/** Characters of the shorter text. */
const LENGTH = 800;

// Before anything of Forge is loaded, whose functions would be counted as one block.
const counter = await startOperations();
const { growingFaster, PUMPED } = await import("./pumped-readers.ts");
afterAll(() => counter.stop());

describe("readers of outside text take steps in proportion to it, each part after every opening (SEC-8)", () => {
  it.each(PUMPED.map((reader) => [reader.name, reader] as const))("%s", async (_, reader) => {
    expect(await growingFaster(counter, reader, LENGTH)).toEqual([]);
  });
});
