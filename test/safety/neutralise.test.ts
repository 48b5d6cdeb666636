import { describe, expect, it } from "vitest";
import { neutraliseText } from "../../src/safety/neutralise.ts";
import fc from "../properties.ts";

const allowedHosts = ["github.com"];
const block = (text: string) => neutraliseText(text, { allowedHosts });
const cell = (text: string) => neutraliseText(text, { allowedHosts, table: true });

describe("GH-15: text from models and repositories can do nothing", () => {
  it.each([
    ["a mention", "thanks @octocat!", "thanks `@octocat`!"],
    ["a team mention", "ask @acme/security, please", "ask `@acme/security`, please"],
    ["a mention behind a backslash", "\\@octocat", "`\\@octocat`"],
    ["a mention as an entity", "&#64;octocat", "`&#64;octocat`"],
    ["a mention in emphasis", "**@octocat**", "\\*\\*`@octocat`\\*\\*"],
    ["an e-mail address", "by a.b@example.com.", "by `a.b@example.com`."],
    ["a closing keyword", "Fixes #1 and closes: #22", "Fixes `#1` and closes: `#22`"],
    ["one for another repository", "resolves acme/shop#7", "resolves `acme/shop#7`"],
    ["one by GH-", "fix GH-12", "fix `GH-12`"],
    [
      "one by address",
      "closes https://github.com/acme/shop/issues/7",
      "closes `https://github.com/acme/shop/issues/7`",
    ],
    ["one by link", "closes [it](https://github.com/a/b/pull/7)", "closes \\[it] (`https://github.com/a/b/pull/7`)"],
    ["one across lines", "fixes\n#1", "fixes\n`#1`"],
    ["an image", "![x](https://evil.example/p.png)", "\\[x] (`https://evil.example/p.png`)"],
    ["an image on our own host", "![x](https://github.com/a.png)", "\\[x] (`https://github.com/a.png`)"],
    ["a foreign link", "see [docs](https://evil.example/?q=1)", "see \\[docs] (`https://evil.example/?q=1`)"],
    ["a foreign address", "see https://evil.example.", "see `https://evil.example`."],
    ["a host that only looks like ours", "https://github.com@evil.example/", "`https://github.com@evil.example/`"],
    ["an address without a scheme", "www.evil.example", "`www.evil.example`"],
    ["a script link", "[x](javascript:alert)", "\\[x] (`javascript:alert`)"],
    ["a reference definition", "[x]: https://evil.example", "\\[x]: `https://evil.example`"],
    ["an autolink", "<https://evil.example>", "&lt;`https://evil.example`>"],
    ["a comment that hides", "a <!-- ignore me --> b", "a &lt;!-- ignore me --> b"],
    ["a fold", "<details open>x</details>", "&lt;details open>x&lt;/details>"],
    ["a mention put together by a link", "&![commat;octocat](b)", "&amp;\\[commat;octocat] (`b`)"],
    ["a reference put together by a link", "fixes #![1](b)", "fixes #\\[1] (`b`)"],
    ["an image put together by an empty span", "!` `[x](https://github.com/a)", "!` `[x](https://github.com/a)"],
    ["an address that goes on", "https://github.com`.evil.example", "<https://github.com>&#96;.evil.example"],
    ["invisible characters", "pay\u200bload \u202egnp\u2069 \u{e0041}x\ufeff", "payload gnp x"],
    ["a command", "/forge approve G-1", "\\/forge approve G-1"],
    ["a command further down", "ok\n   /lgtm", "ok\n   \\/lgtm"],
    ["a heading", "# Approved", "\\# Approved"],
    ["a title by underlining", "Approved\n---", "Approved\n\\---"],
    ["a heading in a list", "*   1. # Approved", "- 1. \\# Approved"],
    ["a table by its second line", "a\n:-", "a\n\\:-"],
    ["a quote", "> octocat said", "\\> octocat said"],
    ["mathematics", "$x$ costs $`y`$", "`$x$` costs `$` `y` `$`"],
    ["a footnote", "x[^1]", "x\\[^1]"],
    ["a suggestion", "```suggestion\nrm\n```", "```\nrm\n```"],
    ["a drawing", "```mermaid\npie\n```", "```\npie\n```"],
    ["a fence left open", "~~~js\nlet x\n````", "`````js\nlet x\n````\n`````"],
    ["a command in a fence", "```\n/forge approve\n```", "```\n| /forge approve\n```"],
    ["a backtick without a partner", "a ` @b", "a &#96; `@b`"],
    ["a span across lines", "`a\n@b`", "&#96;a\n`@b`&#96;"],
  ])("defuses %s", (_what, given, expected) => {
    expect(block(given)).toBe(expected);
  });

  it("keeps code spans, fences, lists and links to allowed hosts", () => {
    const text = "`dir` goes to ``a`b``:\n\n- see [run](https://github.com/a/b/blob/x/run.ts#L3)\n1. use `execFile`";
    expect(block(text)).toBe(text);
    expect(block("```ts\nlet x = 1;\n```")).toBe("```ts\nlet x = 1;\n```");
    expect(block("(https://github.com/acme/shop/blob/main/a_b.ts).")).toBe(
      "(<https://github.com/acme/shop/blob/main/a_b.ts>).",
    );
  });

  it("shows plain text as it is written", () => {
    expect(block("snake_case, a < b && c, 2 * 3, C:\\dir, x ~ y")).toBe(
      "snake_case, a &lt; b &amp;&amp; c, 2 \\* 3, C:\\\\dir, x \\~ y",
    );
  });

  it("keeps spaces side by side, of which HTML would show one", () => {
    const line = (text: string) => neutraliseText(text, { allowedHosts: [], inline: true });
    expect(line("turns `a  b` and x   y\n  into one")).toBe("turns `a  b` and x&nbsp;&nbsp; y into one");
    expect(block("x  y")).toBe("x&nbsp; y");
  });

  it("is safe in a table cell", () => {
    expect(cell("a | b\n`c|d` \\| e")).toBe("a &#124; b `c¦d` \\\\&#124; e");
  });

  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(..."`~@#$\\<>[]()!*_|/&;:.-=\n\t 1aA\u200b\u202e".split("")),
        fc.constantFrom("`", "``", "@octocat", "fixes #1", "https://evil.example", "www.evil.example", "![a](b)"),
        fc.constantFrom(
          "[x](https://github.com/a)",
          "[1](b)",
          "![commat;x](b)",
          "<!--",
          "-->",
          "<details>",
          "\n/forge approve",
          "&#64;",
          "GH-1",
        ),
        fc.string({ unit: "binary", maxLength: 4 }),
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join(""));

  it("holds for any text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const output = block(text);
        expect(output).not.toMatch(/[\p{Cf}\p{DI}\u2800]/u);
        const prose = withoutCode(output).replaceAll(/(?<!!)\[x\]\(https:\/\/github\.com\/a\)/g, " ");
        expect(prose).not.toContain("`");
        expect(prose).not.toMatch(/[<@$]|&(?!amp;|lt;|#96;|nbsp;)|(?<!&)#\d|www\.|gh-\d|:\/\/|(?<!\\)(?:\\\\)*\[/i);
        expect(output).not.toMatch(/^\s*\/[a-z]/im);
      }),
      { numRuns: 2000 },
    );
  });

  it("never breaks a table row, whatever the text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const output = cell(text);
        expect(output).not.toMatch(/[\n|]/);
        expect(output).not.toMatch(/^\s*[/>#]/);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Removes fences and code spans as CommonMark reads them, by hand: an independent second reading of the output. */
function withoutCode(markdown: string): string {
  const prose: string[] = [];
  let open: string | undefined;
  for (const line of markdown.split("\n")) {
    const fence = /^ {0,3}(`{3,})([^`]*)$/.exec(line);
    if (open !== undefined) {
      if (fence && fence[1]!.length >= open.length && fence[2]!.trim() === "") open = undefined;
    } else if (fence) open = fence[1]!;
    else prose.push(line.replaceAll(/(?<!`)(`+)(?!`)[^\n]*?[^`](?<!`)\1(?!`)/g, " "));
  }
  return prose.join("\n");
}
