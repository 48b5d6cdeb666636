import { describe, expect, it } from "vitest";
import { commandLines } from "../../../src/pipeline/commands/command-lines.ts";
import fc from "../../properties.ts";

const lines = (body: string) => commandLines(body).lines;

describe("GH-4: which lines of a comment are commands", () => {
  it("SEC-8: reads what follows the blanks as the pattern before, in linear time", () => {
    const part = fc.constantFrom(" ", "\t", "a", "/forge", "\u2028", "\u00a0");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const line = `/forge${parts.join("")}`;
        const before = /^ {0,3}\/forge(?:[ \t\u00a0]+(.*))?$/s.exec(line);
        expect(lines(line)).toEqual(before ? [(before[1] ?? "").trim()] : []);
      }),
    );
  });

  it.each([
    ["alone", "/forge help", ["help"]],
    ["among text, in order", "Please:\n/forge review\nthen\r\n/forge status  \n", ["review", "status"]],
    ["with a space of another kind", "/forge\u00a0help\n/forge\u3000status", ["help", "status"]],
    ["indented as a paragraph may be", "   /forge help", ["help"]],
    ["without anything behind it", "/forge", [""]],
    ["after a quote and an empty line", "> they said\n\n/forge help", ["help"]],
    ["after a fence that is closed", "```\ncode\n```\n/forge help", ["help"]],
    ["after a code span with comment marks", "use `<!--` there\n/forge help", ["help"]],
    ["after a list", "- one\n- two\n/forge help", ["help"]],
    ["after a name of an element in code", "use `<pre>` there\n\n/forge help", ["help"]],
    ["after an element that is closed", "<blockquote>they said</blockquote>\n\n/forge help", ["help"]],
    ["in what is folded", "<details>\n\n/forge help\n\n</details>", ["help"]],
    ["between stray backticks", "a ` b\n/forge help", ["help"]],
  ])("a line that starts with /forge: %s", (_where, body, expected) => {
    expect(lines(body)).toEqual(expected);
  });

  it.each([
    ["another word", "/forgery help\n/forge-help\n/forge:help\n/forge/help"],
    ["other letters' case", "/Forge help\n/FORGE help"],
    ["look-alike letters", "/f\u043erge help\n/\uff46orge help\n\u2215forge help\n/forge\u200bhelp"],
    ["in the middle of a line", "please /forge help"],
    ["a quote", "> /forge help\n>/forge help\n   > > /forge help"],
    ["a quote that goes on without its mark", "> they said\n/forge help"],
    ["a quote in a list", "- > they said\n/forge help"],
    ["a fence", "```\n/forge help\n```"],
    ["a fence with a language, of tildes, longer", "~~~~ sh\n/forge help\n~~~\n/forge help\n~~~~"],
    ["a fence in a list", "- ```\n  /forge help\n  ```"],
    ["a fence that is never closed", "```\n\n/forge help"],
    ["an indented block", "text\n\n    /forge help\n\t/forge help"],
    ["an HTML comment", "<!-- note\n/forge help\n-->\n<!-- /forge help -->"],
    ["a comment inside a paragraph", "text <!-- more\n/forge help\n-->"],
    ["a comment that is never closed", "<!-- note\n\n/forge help"],
    ["a code span over lines", "see `the\n/forge help\nthing`"],
    [
      "elements for code and quotes",
      "<pre>\n/forge help\n\n/forge help</pre>\n<blockquote>\n\n/forge help\n</blockquote>",
    ],
    ["an element inside a paragraph", "text <code>\n/forge help\n</code>"],
    ["a list item", "- /forge help\n1. /forge help\n# /forge help"],
    ["a heading that is underlined", "/forge help\n==="],
    ["a table", "/forge help|b\n-|-\n/forge help|c"],
    ["a block of HTML", "<div>\n/forge help\n</div>"],
    ["a quote in HTML over blocks", "<blockquote>\n\nthey said\n\n/forge help\n\n</blockquote>"],
    ["an element that a paragraph leaves open", "see <code>\n\n/forge help"],
    ["what carries a marker of Forge", "/forge help\n<!-- forge:finding:abc:def -->"],
  ])("no command: %s", (_where, body) => {
    expect(lines(body)).toEqual([]);
  });

  it("says whether the commands are all that a person wrote", () => {
    expect(commandLines("/forge help\n\n").alone).toBe(true);
    expect(commandLines("> why?\n\n/forge explain F-1\n<!-- draft -->").alone).toBe(true);
    expect(commandLines("Thanks!\n/forge help").alone).toBe(false);
    expect(commandLines("/forge help\n```\nlog\n```").alone).toBe(false);
  });

  const piece = fc.constantFrom(
    "/forge help",
    "/forge",
    "/",
    "forge",
    "> ",
    "```",
    "~~~",
    "`",
    "``",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "\n",
    "\r\n",
    "\n\n",
    "    ",
    "- ",
    " ",
    "word",
    "F-7K2Q",
  );
  const comment = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));

  it("whatever stands in a comment: every command is a line of it that starts with /forge, and no error", () => {
    fc.assert(
      fc.property(fc.oneof(comment, fc.string({ unit: "binary" })), (body) => {
        const starts = body.split(/\r\n|\r|\n/).filter((line) => /^ {0,3}\/forge(?:[\t\p{Zs}]|$)/u.test(line));
        const asked = starts.map((line) => line.replace(/^ *\/forge/, "").trim());
        for (const line of lines(body)) expect(asked).toContain(line);
      }),
      { numRuns: 1000 },
    );
  });

  it("whatever stands in a comment: put into a fence, a quote or an HTML comment, none of it is a command", () => {
    fc.assert(
      fc.property(comment, (body) => {
        const rows = body.split(/\r\n|\r|\n/);
        const fence = "`".repeat(Math.max(3, ...rows.map((row) => (/^\s*(`+)/.exec(row)?.[1] ?? "").length + 1)));
        expect(lines(`${fence}\n${body}\n${fence}`)).toEqual([]);
        expect(lines(rows.map((row) => `> ${row}`).join("\n"))).toEqual([]);
        expect(lines(`<!--\n${body.replaceAll(">", "")}\n-->`)).toEqual([]);
        expect(lines(rows.map((row) => `    ${row}`).join("\n"))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("whatever stands before an empty line and is closed: a command behind it is one", () => {
    fc.assert(
      fc.property(fc.lorem({ mode: "sentences" }), (text) => {
        expect(lines(`${text}\n\n/forge help`)).toEqual(["help"]);
      }),
    );
  });
});
