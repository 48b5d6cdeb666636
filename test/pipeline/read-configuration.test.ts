import { describe, expect, it } from "vitest";
import { DEFAULT_REPO_CONFIG } from "../../src/domain/repo-config.ts";
import { readConfiguration } from "../../src/pipeline/read-configuration.ts";

describe(".github/forge.yml (CONF-1)", () => {
  it.each([[undefined], [""], ["# nothing yet\n"], ["review: {}\n"]])("%j means the defaults", (text) => {
    expect(readConfiguration(text)).toEqual({ value: DEFAULT_REPO_CONFIG });
  });

  it("takes what is given and leaves the rest as it is", () => {
    const { value, problem } = readConfiguration("review:\n  comments: blocking\n  paths:\n    exclude: ['docs/**']\n");
    expect(problem).toBeUndefined();
    expect(value.review).toMatchObject({ comments: "blocking", max_comments: 20, paths: { exclude: ["docs/**"] } });
  });

  it.each([
    ["review:\n  comments: loud\n", "line 2: `review.comments`"],
    ["review:\n  drafts: true\n  coments: all\n", "line 3: `review.coments` is not a known setting"],
    ["revew: {}\n", "line 1: `revew` is not a known setting"],
    ["review:\n  max_comments: 500\n", "line 2: `review.max_comments`"],
    ["review:\n  paths:\n    include: src\n", "line 3: `review.paths.include`"],
    ["review: [1\n", "is not valid YAML"],
    ["- a\n- b\n", "wrong"],
    ["a: &a [1]\nb: *a\n", "aliases are not supported"],
  ])("names the mistake with its line, and uses nothing of the file: %j", (text, problem) => {
    const read = readConfiguration(text);
    expect(read.problem).toContain(problem);
    expect(read.problem).toContain("the defaults were used");
    expect(read.value).toEqual(DEFAULT_REPO_CONFIG);
  });

  it("is not impressed by a billion laughs", () => {
    const laughs = ["a: &a [x]"];
    for (let at = 1; at < 9; at += 1)
      laughs.push(
        `b${at}: &b${at} [*${at === 1 ? "a" : `b${at - 1}`}, ${`*${at === 1 ? "a" : `b${at - 1}`}, `.repeat(8)}1]`,
      );
    expect(readConfiguration(laughs.join("\n")).problem).toBeDefined();
  });
});
