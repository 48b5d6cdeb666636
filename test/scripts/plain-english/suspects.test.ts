import { describe, expect, it } from "vitest";
import { HINTED_PHRASES, SUSPECT_PHRASES } from "../../../scripts/plain-english/phrases.ts";
import { suspectLine, suspectsOf } from "../../../scripts/plain-english/suspects.ts";
import { CODE, PAGE, PLAIN_SENTENCES, SUSPECT_SENTENCES } from "./fixtures/samples.ts";

const suspects = (path: string, content: string, phrases = SUSPECT_PHRASES) =>
  suspectsOf(path, () => content, phrases).map(({ line, phrase }) => `${line}:${phrase}`);

describe("suspect phrases", () => {
  it.each(SUSPECT_SENTENCES)("are found: %s", (sentence, phrase) => {
    expect(suspects("README.md", sentence)).toEqual([`1:${phrase}`]);
  });

  it.each(PLAIN_SENTENCES)("are not found: %s", (sentence) => {
    expect(suspects("README.md", sentence)).toEqual([]);
  });

  it("are found among hints only when hints are asked for", () => {
    const sentence = "It waits so that the queue can drain.";
    expect(suspects("README.md", sentence)).toEqual([]);
    expect(suspects("README.md", sentence, HINTED_PHRASES)).toEqual(["1:so that"]);
  });
});

describe("prose", () => {
  it("of code is its comments and the strings with several words", () => {
    expect(suspects("src/room/file.ts", CODE)).toEqual(["1:anew", "2:beside", "6:Somebody", "8:Mend"]);
  });

  it("of a page is everything outside of fences and inline code", () => {
    expect(suspects("docs/page.md", PAGE)).toEqual(["1:anew", "6:Somebody"]);
  });

  it("is not looked for in data, recordings and prompts", () => {
    const neverRead = () => {
      throw new Error("read");
    };
    for (const path of ["package.json", "fixtures/case/page.md", "src/agents/prompts/planner.md", "drizzle/0001.ts"]) {
      expect(suspectsOf(path, neverRead, SUSPECT_PHRASES)).toEqual([]);
    }
  });

  it("is read in linear time, even with an open string full of escapes", () => {
    expect(suspects("src/room/file.ts", `const open = "${"\\a".repeat(100)}`)).toEqual([]);
  });
});

it("a suspect is shown with its place, its phrase and its text", () => {
  const [suspect] = suspectsOf("docs/page.md", () => PAGE, SUSPECT_PHRASES);
  expect(suspectLine(suspect!)).toBe(`docs/page.md:1: anew | ${PAGE.split("\n")[0]}`);
});
