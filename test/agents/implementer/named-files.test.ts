import { expect, it } from "vitest";
import { namedFiles } from "../../../src/agents/show-files.ts";

it("LOOP-2: takes the files that a task names by their whole path, with a line behind it or at the end of a sentence", () => {
  const text = "as `totalsOf()` in src/report/totals.js:10 rounds. See src/store.js. Not store.js, not lib/src/csv.js";
  const paths = ["src/csv.js", "src/report/totals.js", "src/store.js", "store.test.js", "totals.js"];
  expect(namedFiles(text, paths)).toEqual(["src/report/totals.js", "src/store.js"]);
  expect(namedFiles("", paths)).toEqual([]);
});
