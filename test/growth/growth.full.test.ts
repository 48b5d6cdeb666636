import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOperations } from "./operations.ts";

/** Characters of the shortest text; one of four times as many is the longest. In shorter ones a small square hides behind what a reader does once. */
const LENGTH = 200;

// Before anything of Forge is loaded, whose functions would be counted as one block.
const counter = await startOperations();
const { growingFaster, warm } = await import("./growing-faster.ts");
const { PUMPED } = await import("./pumped-readers.ts");
beforeAll(() => warm(counter, PUMPED));
afterAll(() => counter.stop());

describe("readers of outside text take steps in proportion to it, each part after every opening (SEC-8)", () => {
  it.each(PUMPED.map((reader) => [reader.name, reader] as const))("%s", async (_, reader) => {
    expect(await growingFaster(counter, reader, LENGTH)).toEqual([]);
  });
});

/** What goes through a text by place. */
const SCANS =
  /charCodeAt|codePointAt|charAt\(|\.lastIndex\b|\b(?:text|line|code|source|log|patch|content|glob|path|bytes)\[(?:at|index|end|start|from)\b|\b(?:startsWith|indexOf|lastIndexOf)\((?:[^()]|\([^()]*\))+, (?:[^()]|\([^()]*\))+\)/;

/** Scanners that no reader runs, with what they read. Each looks for the next mark from where the last one ended. */
const OTHERS: Readonly<Record<string, string>> = {
  "analysis/dependencies/drift/composer-hash.ts": "one letter at a time, by the callback of a pattern",
  "analysis/dependencies/drift/gemfile-drift.ts": "lines of at most 1,000 characters, from one quote to the next",
  "analysis/dependencies/drift/workspace-members.ts": "names of folders, against 200 patterns at most",
  "analysis/dependencies/formats/known-blocks.ts": "an entry of a lock file, of at most 4,000 characters, each once",
  "analysis/disguises/path-disguises.ts": "one path, which git bounds at 4,096 bytes",
  "analysis/map/package-alias.ts": "one version of a manifest, for its second `@`",
  "analysis/loose-equality.ts": "at most 500 characters before a comparison, each once",
  "analysis/meant-code.ts": "at most 8,000 characters of a function, each once",
  "analysis/nan-test.ts": "at most 500 characters before a comparison, each once",
  "analysis/patterns/known-calls.ts": "none: `charCodeAt` is one of its names",
  "analysis/reader/start-child.ts": "answers of our own child",
  "analysis/risk/mended-changes.ts": "what git prints, by marks of our own",
  "analysis/tests/select-tests.ts": "one path, which git bounds at 4,096 bytes",
  "analysis/tests/selection/reached-files.ts": "names of files, each of which git bounds at 4,096 bytes",
  "memory/open-memory.ts": "words of at most 1,000 characters, each once",
  "pipeline/ai/checked-places.ts": "line breaks of a file that a model named, each once",
  "tools/edit-file.ts": "line breaks of a file up to a place, for at most ten places",
  "workspace/history.ts": "one path, which git bounds at 4,096 bytes",
  "workspace/landed-changes.ts": "what git prints, by marks of our own",
  "workspace/local/local-repository.ts": "what git prints, by zero bytes",
  "workspace/read-tree.ts": "what git prints, by zero bytes",
};

it("SEC-8: every scanner of `src` runs in a reader above, or its text is named here", async () => {
  const folder = new URL("../../src/", import.meta.url);
  const scanners = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && SCANS.test(readFileSync(new URL(file, folder), "utf8")),
  );
  expect(scanners.length).toBeGreaterThan(50);
  const unread = scanners.filter((file) => !counter.ran.has(file));
  expect(unread.toSorted()).toEqual(Object.keys(OTHERS).toSorted());
});
