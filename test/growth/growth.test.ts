import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { startOperations } from "./operations.ts";

/** Characters of the shorter text; `growth.full.test.ts` takes longer ones, and each part after every opening. */
const LENGTH = 100;

// Before anything of Forge is loaded, whose functions would be counted as one block.
const counter = await startOperations();
const { growingFaster, PUMPED } = await import("./pumped-readers.ts");
afterAll(() => counter.stop());

describe("readers of outside text take steps in proportion to it (SEC-8)", () => {
  it.each(PUMPED.map((reader, place) => [reader.name, reader, place] as const))("%s", async (_, reader, place) => {
    const { pumps, openings } = reader;
    // Half of the parts, beginning with another one for every reader.
    const chosen = pumps.filter((_, at) => {
      const part = Math.floor(at / openings);
      return (part + place) % 2 === 0 && at % openings === part % openings;
    });
    expect(await growingFaster(counter, { ...reader, pumps: chosen }, LENGTH)).toEqual([]);
  });
});

describe("counting", () => {
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
      expect(await growingFaster(counter, reader, LENGTH), name).toEqual([expect.stringMatching(/^1[3-6]\.\d times/)]);
    }
  });
});

/** What goes through a text by place. */
const SCANS =
  /charCodeAt|codePointAt|charAt\(|\.lastIndex\b|\b(?:text|line|code|source|log|patch|content|glob|path|bytes)\[(?:at|index|end|start|from)\b|\b(?:startsWith|indexOf|lastIndexOf)\((?:[^()]|\([^()]*\))+, (?:[^()]|\([^()]*\))+\)/;

/** Scanners that no reader runs, with what they read. Each looks for the next mark from where the last one ended. */
const OTHERS: Readonly<Record<string, string>> = {
  "analysis/disguises/path-disguises.ts": "one path, which git bounds at 4,096 bytes",
  "analysis/patterns/known-calls.ts": "none: `charCodeAt` is one of its names",
  "analysis/reader/start-child.ts": "answers of our own child",
  "analysis/risk/mended-changes.ts": "what git prints, by marks of our own",
  "analysis/tests/select-tests.ts": "one path, which git bounds at 4,096 bytes",
  "memory/open-memory.ts": "words of at most 1,000 characters, each once",
  "tools/edit-file.ts": "line breaks of a file up to a place, for at most ten places",
  "workspace/history.ts": "one path, which git bounds at 4,096 bytes",
  "workspace/landed-changes.ts": "what git prints, by marks of our own",
  "workspace/local/local-repository.ts": "what git prints, by zero bytes",
  "workspace/read-tree.ts": "what git prints, by zero bytes",
};

it("SEC-8: every scanner of `src` runs in a reader above, or its text is named here", async () => {
  await counter.count(async () => {
    for (const { read, pumps } of PUMPED)
      for (const pump of pumps.filter((_, at) => at % 3 === 0)) await read(pump(60));
  });
  const folder = new URL("../../src/", import.meta.url);
  const scanners = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && SCANS.test(readFileSync(new URL(file, folder), "utf8")),
  );
  expect(scanners.length).toBeGreaterThan(50);
  const unread = scanners.filter((file) => !counter.ran.has(file));
  expect(unread.toSorted()).toEqual(Object.keys(OTHERS).toSorted());
});
