import { expect, it } from "vitest";
import { createGraphReader } from "../../../src/analysis/map/read-graph.ts";
import { chooseTests } from "../../../src/analysis/tests/choose-tests.ts";
import { isTestName } from "../../../src/analysis/tests/test-names.ts";
import type { ThreadLimits } from "../../../src/safety/limited-thread.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { scratchFolder } from "../change-of.ts";

const { signal } = new AbortController();
const { files } = folderWith({
  "src/price.js": "export const price = 1;\n",
  "src/cart.js": 'export { price } from "./price.js";\nexport { lost } from "./lost.js";\n',
  "data/rates.json": "{}\n",
  "tsconfig.json": '{"compilerOptions":{"paths":{"money":["./src/price.js"]}}}\n',
  // Only the imports say that it reaches the price.
  "test/alias.test.ts": 'import { price } from "money";\n',
  "test/cart.test.js": 'import "../src/cart.js";\n',
  "test/rates.test.js": 'import { readFileSync } from "node:fs";\nreadFileSync("data/rates.json");\n',
  "test/other.test.js": 'import assert from "node:assert";\n',
});
const GRAPH = await createGraphReader({ files, scratch: scratchFolder(), immutable: true })(signal);
const ALL = ["test/alias.test.ts", "test/cart.test.js", "test/other.test.js", "test/rates.test.js"];

/** A choice, and how many threads were started for it. */
async function choose(path: string, risk: "low" | "high", limits?: ThreadLimits) {
  const changed = [{ path, status: "modified" as const }];
  let threads = 0;
  const count = () => {
    threads += 1;
  };
  process.on("worker", count);
  const choice = await chooseTests(files, GRAPH, { changed, risk, isTest: isTestName }, signal, limits);
  process.off("worker", count);
  return { ...choice, threads };
}

it("TEST-3, OPS-8: another thread looks texts and imports through, never the main thread", async () => {
  const files = ["test/rates.test.js"];
  expect(await choose("data/rates.json", "low")).toEqual({
    selection: { kind: "affected", files },
    covering: { files },
    threads: 1,
  });
  // With all tests come those for when they take too long, and an import that leads nowhere is known there too.
  const { selection, covering } = await choose("src/price.js", "high");
  expect(selection).toEqual({ kind: "full", files: ALL, because: "the risk is high" });
  expect(covering).toEqual({
    files: ["test/alias.test.ts", "test/cart.test.js"],
    widened: '"src/cart.js" imports "./lost.js", which is not found in the repository',
  });
});

it("TEST-3, OPS-8: all tests, and why, where the thread does not come to its end: nobody else looks", async () => {
  const because = "the search for what mentions the changed files took longer than 0.001 s";
  expect(await choose("data/rates.json", "low", { timeMs: 1, memoryMib: 1024 })).toEqual({
    selection: { kind: "full", files: ALL, because, widened: because },
    covering: { files: ALL, everything: because },
    threads: 1,
  });
});
