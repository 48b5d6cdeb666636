import { describe, expect, it } from "vitest";
import { parseConfiguration } from "../../src/analysis/configuration/parse-configuration.ts";
import fc from "../properties.ts";

function mistakesOf(text: string): string[] {
  const parsed = parseConfiguration(text);
  return parsed.ok ? [] : parsed.mistakes.map(({ line, message }) => `${line}: ${message}`);
}

const excluded = (item: string) => `review:\n  paths:\n    exclude:\n      - ${item}\n`;
const listed = (items: string) => `review:\n  paths:\n    exclude: [${items}]\n`;
const named = (value: string) => `project:\n  name: ${value}\n`;
const quotes = (because: string, example: string) => `Put quotes around a text that ${because}: write \`${example}\`.`;

describe("R22: a pattern or a text without quotes", () => {
  it.each([
    [listed("*.md"), `3: ${quotes("begins with `*`", '"*.md"')}`],
    [listed("*"), `3: ${quotes("begins with `*`", '"*"')}`],
    [listed("src, **/*.md"), `3: ${quotes("begins with `*`", '"**/*.md"')}`],
    [listed("!src/**"), `3: ${quotes("begins with `!`", '"!src/**"')}`],
    [listed("src/{a,b}/**"), `3: ${quotes("has `{` in it", '"src/{a,b}/**"')}`],
    [excluded("*.md"), `4: ${quotes("begins with `*`", '"*.md"')}`],
    [excluded("!src/** # not these"), `4: ${quotes("begins with `!`", '"!src/**"')}`],
    [excluded("{a,b}/**"), `4: ${quotes("begins with `{`", '"{a,b}/**"')}`],
    [excluded("[ab]*.ts"), `4: ${quotes("begins with `[`", '"[ab]*.ts"')}`],
    ["review:\n  path_weights:\n    *.md: 3\n", `3: ${quotes("begins with `*`", '"*.md"')}`],
    ["review:\n  path_weights:\n    !src: 3\n", `3: ${quotes("begins with `!`", '"!src"')}`],
    ["review:\n  authors:\n    exclude: [@renovate]\n", `3: ${quotes("begins with `@`", '"@renovate"')}`],
    [named("&D tools"), `2: ${quotes("begins with `&`", '"&D tools"')}`],
    [named("%x"), `2: ${quotes("begins with `%`", '"%x"')}`],
    [named("`x`"), "2: Put quotes around a text that begins with `` ` ``."],
    [named("| text"), `2: ${quotes("begins with `|`", '"| text"')}`],
    [named("Forge: the app"), `2: ${quotes("has a colon and a space in it", '"Forge: the app"')}`],
    [named("{{ name }}"), "2: A key must be plain text. Put quotes around a text that begins with `{`."],
  ])("%j", (text, mistake) => {
    expect(mistakesOf(text)).toEqual([mistake]);
  });

  it("an anchor on a value that is used again is an alias, and other texts need no quotes", () => {
    expect(mistakesOf("project:\n  name: &team Core\n  language: *team\n")).toEqual([
      "3: Aliases are not supported. Write the value again in place of `*team`.",
    ]);
    for (const text of ["R&D", "a*b!", "src/**", "x # comment", '"*.md"', "'!a'"])
      expect(mistakesOf(named(text))).toEqual([]);
  });

  it("what the advice writes is accepted", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[*&!@%`|>?{[][a-z*{},/ "'\\]{1,12}[a-z*]$/), (pattern) => {
        for (const text of [listed(pattern), excluded(pattern)]) {
          for (const mistake of mistakesOf(text)) {
            const written = /write `(.*)`\.$/.exec(mistake)?.[1];
            if (written === undefined || pattern.includes("`")) continue;
            const again = parseConfiguration(listed(written));
            const faults = again.ok ? [] : again.mistakes.map(({ message }) => message);
            for (const fault of faults) expect(fault).not.toMatch(/^Put quotes|YAML/);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("CONF-1: a mistake in forge.yml says what to do", () => {
  it.each([
    ["an open quote", named('"open'), '3: The closing `"` is missing before here.'],
    [
      "a quote in quotes",
      named("'it's'"),
      "2: A quote inside the text ends it. Use the other kind of quotes around the text.",
    ],
    ["no comma", listed('"a" "b"'), "3: A comma is missing between two texts of this list."],
    ["a backslash", named('"a\\d"'), "2: In double quotes a `\\` begins an escape. Use single quotes."],
    [
      "a list behind a name",
      named("- a"),
      "2: A list begins on a line of its own, or is written in brackets: `[a, b]`.",
    ],
    ["an open brace", "review: {drafts: true\n", "1: The `{` in this line is never closed."],
    ["a wrong column", "review:\n  drafts: true\n on_pr: true\n", /^3: The settings of a group must begin in the same/],
    [
      "a deep line",
      "review:\n  drafts: true\n    on_pr: true\n",
      "3: This line is indented too far: line 2 has a value already.",
    ],
    ["no colon", "review\n  drafts: true\n", "1: A colon is missing: write `review:`."],
    [
      "no space",
      "review:\n  drafts:true\n",
      /^1: `review` must be a map of settings: write `drafts: true`, with a space/,
    ],
    ["dashes", "review:\n- drafts: true\n", "1: `review` must be a map of settings, without dashes before the names."],
    ["another format", "review = {}\n", /^1: The file must be a map of settings: write `review: {}`/],
    ["a merge", "<<<<<<< HEAD\nreview: {}\n=======\n", "1: A merge conflict is left in the file. Resolve it."],
    [
      "a space of a page",
      "review:\u00a0\n  drafts: true\n",
      /^1: This line has a space that YAML does not know \(U\+00A0\)/,
    ],
    [
      "a program as text",
      "tools:\n  test: npm test\n",
      '2: `tools.test` must be a list: write `test: ["npm", "test"]`.',
    ],
    [
      "a list as text",
      "review:\n  base_branches: main, next\n",
      /must be a list: write `base_branches: \["main", "next"\]`\.$/,
    ],
    ["a number in quotes", 'review:\n  max_comments: "5"\n', /must be a number: write `max_comments: 5`\.$/],
    ["no number", "review:\n  max_comments: many\n", "2: `review.max_comments` must be a number, such as `20`."],
    ["a number for a text", named("2024"), '2: `project.name` must be text: write `name: "2024"`.'],
    ["yes", "review:\n  drafts: “yes”\n", "2: `review.drafts` must be `true` or `false`: write `drafts: true`."],
    [
      "part of a word",
      "deploy:\n  staging:\n    way: dispatch\n",
      /or `program`\. Did you mean `workflow_dispatch`\?$/,
    ],
    ["a workflow", "deploy:\n  staging:\n    workflow: x.yml\n", /such as `\.github\/workflows\/deploy\.yml`\.$/],
    [
      "part of a name",
      "deploy:\n  staging:\n    environment: qa\n",
      /Did you mean `deploy\.staging\.github_environment`\?$/,
    ],
    [
      "camel case",
      "review:\n  maxComments: 3\n",
      "2: `review.maxComments` is not a known setting. Did you mean `review.max_comments`?",
    ],
  ])("%s", (_what, text, mistake) => {
    const [first] = mistakesOf(text);
    if (typeof mistake === "string") expect(first).toBe(mistake);
    else expect(first).toMatch(mistake);
  });

  it("any file: each mistake is a sentence on a line of the file, and its code spans are closed", () => {
    const piece = fc.constantFrom(
      "review:",
      "\n",
      "  ",
      "- ",
      "*a",
      "&a ",
      "!x",
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      "`",
      ": ",
      "#",
      "|",
      "a",
      "\t",
      "\u00a0",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const parsed = parseConfiguration(text);
        if (parsed.ok) return;
        for (const { line, message } of parsed.mistakes) {
          expect(line).toBeLessThanOrEqual(text.split("\n").length + 1);
          expect(message).toMatch(/[.?]$/);
          expect(message.replace("`` ` ``", "").split("`").length % 2).toBe(1);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
