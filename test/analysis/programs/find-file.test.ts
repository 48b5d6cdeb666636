import { expect, it } from "vitest";
import { namedPrograms } from "../../../src/analysis/programs/called-files.ts";
import { createFileFinder } from "../../../src/analysis/programs/find-file.ts";

const PATHS = ["docs/a.txt", "docs/b.txt", "src/deep/c.js", "x.sh"];

it("finds what a pattern of a shell stands for, the same each time", () => {
  const find = createFileFinder(PATHS);
  for (const _ of [1, 2]) {
    expect(find("docs/*.txt", "Makefile")).toEqual(["docs/a.txt", "docs/b.txt"]);
    expect(find("./src/*/c.?s", "Makefile")).toEqual(["src/deep/c.js"]);
    expect(find("*.sh", "Makefile")).toEqual(["x.sh"]);
  }
});

it("SEC-8: looks for no more patterns than it can compare, and says so instead of leaving one out", () => {
  const paths = Array.from({ length: 100 }, (_, at) => `a/${at}.txt`);
  const find = createFileFinder(paths, 4_000);
  const look = (count: number) => {
    for (let at = 0; at < count; at += 1) find(`a/${at}*x`, "Makefile");
  };
  expect(() => look(40)).not.toThrow();
  // Those that it knows cost nothing.
  expect(() => look(40)).not.toThrow();
  expect(() => look(41)).toThrow("so many patterns of programs");
});

it("names the first line on which a manifest has a program, whatever other strings hold", () => {
  const text = '{\n  "description": "x.sh and more",\n  "bin": { "shop": "x.sh" },\n  "main": "x.sh"\n}\n';
  const lines = namedPrograms(text, "package.json", createFileFinder(PATHS)).map(({ path, line }) => [path, line]);
  expect(lines).toEqual([
    ["x.sh", 3],
    ["x.sh", 3],
  ]);
});
