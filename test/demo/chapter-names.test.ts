import { expect, it } from "vitest";
import { chapterList } from "../../demo/chapter-names.ts";
import { readOptions } from "../../demo/options.ts";

it("names what will be told, in the order in which it is told", () => {
  const options = readOptions([]);
  expect("stories" in options && chapterList(options.stories)).toEqual([
    "Told    implement: an issue becomes a pull request",
    "        review: what a review finds, and what people do with it",
    "        deploy: a change goes to production and back, and its fix stays there",
  ]);
});
