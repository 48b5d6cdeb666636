import { expect, it } from "vitest";
import { createRunnerFinder } from "../../src/tools/run/runner-at.ts";

it("TEST-1: a path's tests are run as its nearest manifest with a runner says, and each folder is looked at once", async () => {
  const texts = new Map([
    ["package.json", '{ "scripts": { "test": "jest" }, "devDependencies": { "jest": "29" } }'],
    ["packages/a/package.json", '{ "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "3" } }'],
    ["packages/b/package.json", '{ "name": "b" }'],
  ]);
  const paths = [...texts.keys(), "packages/a/src/one.ts", "packages/a/src/two.ts", "packages/b/three.ts"];
  const asked: string[][] = [];
  const files = {
    readMany: async (wanted: readonly string[]) => {
      asked.push([...wanted]);
      return new Map(wanted.map((path) => [path, Buffer.from(texts.get(path) ?? "")]));
    },
  };
  const runnerAt = createRunnerFinder(files, paths, new AbortController().signal);
  const [one, two, three, four] = await Promise.all(
    ["packages/a/src/one.ts", "packages/a/src/two.ts", "packages/b/three.ts", "four.ts"].map(runnerAt),
  );
  expect(one).toMatchObject({ runner: "vitest", folder: "packages/a" });
  expect(two).toEqual(one);
  expect(three).toMatchObject({ runner: "jest" });
  expect(three).not.toHaveProperty("folder");
  expect(four).toEqual(three);
  expect(asked).toEqual([["packages/a/package.json"], ["packages/b/package.json"], ["package.json"]]);
});
