import { describe, expect, it } from "vitest";
import { parseConfiguration } from "../../src/analysis/configuration/parse-configuration.ts";

function mistakesOf(text: string): string[] {
  const parsed = parseConfiguration(text);
  return parsed.ok ? [] : parsed.mistakes.map(({ line, message }) => `${line}: ${message}`);
}

describe("CONF-1: forge.yml", () => {
  it.each([[""], ["# nothing yet\n"], ["review: {}\n"], ["---\nreview:\n  drafts: true\n"]])("accepts %j", (text) => {
    expect(mistakesOf(text)).toEqual([]);
  });

  it("gives what the file says, without the defaults", () => {
    expect(parseConfiguration("review:\n  comments: blocking\n")).toEqual({
      ok: true,
      given: { review: { comments: "blocking" } },
    });
  });

  it.each([
    ["review:\n  comments: loud\n", "2: `review.comments` must be `all`, `blocking` or `none`."],
    ["review:\n  drafts: yes\n", "2: `review.drafts` must be `true` or `false`: write `drafts: true`."],
    ["review:\n  max_comments: 500\n", "2: `review.max_comments` must be at most 50."],
    ["review:\n  max_comments: 1.5\n", "2: `review.max_comments` must be a whole number, such as `20`."],
    ["review:\n  max_rounds: 0\n", "2: `review.max_rounds` must be at least 1."],
    ["review:\n  paths:\n    include: src\n", '3: `review.paths.include` must be a list: write `include: ["src"]`.'],
    ["review:\n  path_weights:\n    src: 21\n", "3: `review.path_weights.src` must be at most 20."],
    ["review:\n  path_weights:\n    '': 2\n", "3: `review.path_weights` has an entry without a name."],
    [
      "review:\n  paths:\n    exclude:\n      - src\n      - '+(a|aa)'\n",
      "5: `review.paths.exclude[1]` has a group `+(…)`, which is not known here: write `{a,b}`, or `[(]`.",
    ],
    [
      `review:\n  path_weights:\n    '${"{a,b}".repeat(18)}': 2\n`,
      `3: \`review.path_weights.${"{a,b}".repeat(18).slice(0, 59)}…\` has braces with more than 100 combinations.`,
    ],
    [
      `review:\n  protected_paths: ['${"a".repeat(301)}']\n`,
      "2: `review.protected_paths[0]` has more than 300 characters.",
    ],
    ["\nreview:\n", "2: `review` has no value: give it one, or leave the line out."],
    ["- a\n- b\n", "1: The file must be a map of settings, without dashes before the names."],
    ["review: [1\n", "1: The `[` in this line is never closed."],
    ["review:\n\tdrafts: true\n", "2: YAML cannot be indented by tabs. Use spaces."],
    ["review:\n  drafts: true\n  drafts: true\n", "3: `drafts` is set twice, first in line 2. Keep one of them."],
    ["review: {}\n---\nreview: {}\n", "2: The file holds more than one document. Remove the line `---`."],
    ["a: &a [1]\nb: *a\n", "2: Aliases are not supported. Write the value again in place of `*a`."],
    ["review:\n  ? [1]\n  : 1\n", "2: A key must be plain text. Put quotes around a text that begins with `[`."],
    ["1: a\n'1': b\n", "2: `'1'` is set twice, first in line 1. Keep one of them."],
  ])("%j is wrong, with its line", (text, mistake) => {
    expect(mistakesOf(text)).toEqual([mistake]);
  });

  it("names the nearest setting of an unknown one, here or at another depth, and what is known where none is near", () => {
    const near = "review:\n  coments: all\n";
    expect(mistakesOf(near)).toEqual(["2: `review.coments` is not a known setting. Did you mean `review.comments`?"]);
    const outside = "drafts: true\n";
    expect(mistakesOf(outside)).toEqual(["1: `drafts` is not a known setting. Did you mean `review.drafts`?"]);
    expect(mistakesOf("weather: {}\n")).toEqual([
      "1: `weather` is not a known setting. Known here: `project`, `review`, `tools`, `llm`, `safety`, `gates`, `max_bounces`, `loop`, `memory`, `deploy`.",
    ]);
  });

  it("tells all mistakes at once, in the order of the file", () => {
    const text = `tools:
  analysers:
    - name: My Linter
      command: []
    - lint
review:
  drafts: 1
`;
    expect(mistakesOf(text)).toEqual([
      "3: `tools.analysers[0].name` must be small letters, digits and dashes, begin with a letter, and have at most 30 characters.",
      "3: `tools.analysers[0].format` is missing.",
      "4: `tools.analysers[0].command` must not be empty.",
      "5: `tools.analysers[1]` must be a map of settings, each as `name: value` on a line of its own.",
      "7: `review.drafts` must be `true` or `false`: write `drafts: true`.",
    ]);
  });

  it("refuses two analysers of one name", () => {
    const analyser = "    - { name: lint, command: [lint], format: sarif }\n";
    expect(mistakesOf(`tools:\n  analysers:\n${analyser}`)).toEqual([]);
    expect(mistakesOf(`tools:\n  analysers:\n${analyser}${analyser}`)).toEqual([
      "2: `tools.analysers` must not name two analysers alike.",
    ]);
  });

  it.each([
    ["too large a file", `# ${"x".repeat(70_000)}`, "1: The file is larger than 16 KB."],
    ["brackets that are never closed", "[".repeat(16_000), "1: The file is nested too deeply."],
    ["deep nesting", `${"[".repeat(90)}${"]".repeat(90)}`, "1: The file is nested too deeply."],
    [
      "keys of keys, which grow when they are written out",
      "? ".repeat(60),
      "1: A key must be plain text. Put it in quotes.",
    ],
    ["keys of keys in brackets", `${"{ ? ".repeat(60)}a${" }".repeat(60)}`, "1: A key must be plain text."],
    ["keys of keys by the thousand", "? ".repeat(8_000), /^1: /],
    ["lists of lists by the thousand", "- ".repeat(8_000), /^1: /],
    ["a name that is a prototype", "__proto__: { review: {} }\n", /^1: `__proto__` is not a known setting/],
    [
      "a long name with backticks",
      `${"`a`".repeat(60)}: 1\n`,
      /^1: Put quotes around a text that begins with `` ` ``\.$/,
    ],
  ])("is not impressed by %s", (_what, text, mistake) => {
    const [first] = mistakesOf(text);
    expect(first).toMatch(mistake);
  });

  it("is not impressed by a billion laughs", () => {
    const laughs = ["a0: &a0 [x]"];
    for (let at = 1; at < 9; at += 1) laughs.push(`a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}1]`);
    expect(mistakesOf(laughs.join("\n"))).toEqual([
      "2: Aliases are not supported. Write the value again in place of `*a0`.",
    ]);
  });
});
