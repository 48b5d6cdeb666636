import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOperations } from "./operations.ts";

/** Characters of the shortest text. */
const LENGTH = 100;
/** So many readers and parts stand for all: `growth.full.test.ts` takes each, longer texts, and each part after every opening. */
const [READER_OF, PART_OF] = [2, 8];

// Before anything of Forge is loaded, whose functions would be counted as one block.
const counter = await startOperations();
const { growingFaster, PUMPED_ON_MAIN, warm } = await import("./growing-faster.ts");
const SAMPLE = PUMPED_ON_MAIN.filter((_, place) => place % READER_OF === 0);
beforeAll(() => warm(counter, SAMPLE));
afterAll(() => counter.stop());

describe("readers of outside text take steps in proportion to it (SEC-8)", () => {
  it.each(SAMPLE.map((reader, place) => [reader.name, reader, place] as const))("%s", async (_, reader, place) => {
    const { pumps, openings } = reader;
    // Beginning with another part for every reader.
    const chosen = pumps.filter((_, at) => {
      const part = Math.floor(at / openings);
      return (part + place) % PART_OF === 0 && at % openings === part % openings;
    });
    expect(await growingFaster(counter, { ...reader, pumps: chosen }, LENGTH)).toEqual([]);
  });
});

describe("counting", () => {
  it("tells one slow text among a hundred that are not", async () => {
    const read = (text: string) => {
      for (let round = 0; round < 20; round += 1) text.indexOf("b");
      if (text.startsWith("c")) for (let at = 0; at < text.length; at += 1) text.lastIndexOf("b", at);
    };
    const pumps = Array.from("c".padEnd(100), (first) => (length: number) => first.padEnd(length, "a"));
    const found = await growingFaster(counter, { name: "one", read, openings: 1, pumps }, 2 * LENGTH);
    expect(found).toEqual([expect.stringMatching(/^4\.0 times the growth for "ca/)]);
  });

  it("tells work that grows by the square: in a loop, in a built-in, in a pattern that reads the rest again", async () => {
    const slow = {
      "finding each end": (text: string) => {
        for (let at = 0; at < text.length; at += 1) text.indexOf("b", at);
      },
      "copying what is there": (text: string) => {
        let all: readonly string[] = [];
        for (const letter of text) all = [...all, letter];
      },
      "reading the rest": (text: string) => {
        for (let at = 0; at < text.length; at += 1) /b$/.test(text.slice(at));
      },
    };
    for (const [name, read] of Object.entries(slow)) {
      const reader = { name, read, openings: 1, pumps: [(length: number) => "a".repeat(length)] };
      expect(await growingFaster(counter, reader, LENGTH), name).toEqual([
        expect.stringMatching(/^(?:3\.\d|4\.0) times/),
      ]);
    }
  });
});
