import { globSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { failuresOf, sharesOf } from "../../scripts/steady/read-report.ts";
import { needsSandbox } from "../../scripts/test-room/needs-sandbox.ts";
import { mergeDurations, readDurations, writeDurations } from "./durations-file.ts";
import { inOrder } from "./slowest-first.ts";
import { tierOf } from "./tiers.ts";

const took = (ms: number) => ({ ms, tests: {} });

it("the name of a test file says its tier", () => {
  const names = ["test/a/b.test.ts", "test/a/b.full.test.ts", "test/a/b.long.test.ts", "test/a/full.test.ts"];
  expect(names.map(tierOf)).toEqual(["quick", "full", "long", "quick"]);
});

it("every room of src has quick tests, and so has each kind of story", () => {
  const quick = globSync("test/**/*.test.ts").filter((path) => tierOf(path) === "quick");
  const rooms = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(
    rooms.map(({ name }) => name).filter((name) => !quick.some((path) => path.startsWith(`test/${name}/`))),
  ).toEqual([]);
  const stories = [
    "test/e2e/review.test.ts",
    "test/e2e/implement.test.ts",
    "test/e2e/deploy.test.ts",
    "test/chaos/kill.test.ts",
    "test/hostile/one-of-each.test.ts",
  ];
  expect(stories.filter((path) => !quick.includes(path))).toEqual([]);
});

it("the slowest files start first, those that never ran before them by size, and the longest projects before all", () => {
  const file = (project: string, path: string, bytes = 1) => ({ project, path, bytes });
  const files = [
    file("sharing", "quick"),
    file("sharing", "slow"),
    file("sharing", "new and small", 5),
    file("sharing", "new and large", 9),
    file("alone", "alone"),
    file("hostile", "attack"),
  ];
  const order = inOrder(files, { quick: took(1), slow: took(100), alone: took(2) });
  expect(order.map(({ path }) => path)).toEqual(["attack", "alone", "new and large", "new and small", "slow", "quick"]);
});

it("a run replaces the durations of the files that it ran, and forgets files that are gone", () => {
  const isThere = (path: string) => path !== "gone";
  const merged = mergeDurations({ a: took(1), b: took(2), gone: took(3) }, { b: took(4), c: took(5) }, isThere);
  expect(merged).toEqual({ a: took(1), b: took(4), c: took(5) });
});

it("durations survive writing and reading; a broken or missing file counts as none", () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-durations-"));
  const file = join(folder, "durations.json");
  expect(readDurations(file)).toEqual({});
  writeDurations({ a: took(1) }, file);
  expect(readDurations(file)).toEqual({ a: took(1) });
  writeFileSync(file, "{");
  expect(readDurations(file)).toEqual({});
  expect(readdirSync(folder)).toEqual(["durations.json"]);
  rmSync(folder, { recursive: true });
});

it("failures are counted by name over all runs; a file that does not load is a failure of its own", () => {
  const test = (fullName: string, status: string) => ({ fullName, status });
  const report = {
    testResults: [
      { name: "/r/test/a.test.ts", status: "failed", assertionResults: [test("one", "failed"), test("two", "passed")] },
      { name: "/r/test/b.test.ts", status: "failed", assertionResults: [] },
      { name: "/r/test/c.test.ts", status: "passed", assertionResults: [test("three", "skipped")] },
    ],
  };
  expect(failuresOf(report, "/r")).toEqual(["test/a.test.ts: one", "test/b.test.ts"]);
  expect(sharesOf([["b"], ["a", "b", "b"], []])).toEqual(["2 of 3  b", "1 of 3  a"]);
  expect(sharesOf([[], []])).toEqual([]);
});

it("a room needs a sandbox where a test or one of its helpers opens one", () => {
  const texts: Record<string, string> = {
    "test/a/plain.test.ts": 'import { x } from "./helper.ts";\nimport { y } from "../../src/y.ts";',
    "test/a/helper.ts": "",
    "test/b/boxed.test.ts": 'import { help } from "../a/boxed.ts";',
    "test/a/boxed.ts": 'import {\n  boxed,\n} from "../needs/sandbox.ts";',
    "test/c/own.test.ts": "const sandbox = await openSandbox();",
  };
  const needs = (path: string) => needsSandbox([path], (each) => texts[each] ?? "");
  expect(Object.keys(texts).filter((path) => path.endsWith(".test.ts") && needs(path))).toEqual([
    "test/b/boxed.test.ts",
    "test/c/own.test.ts",
  ]);
});
