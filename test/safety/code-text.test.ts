import { describe, expect, it } from "vitest";
import { codeSpan, fence, hasCommandLine, isSuggestable, suggestionFence } from "../../src/safety/code-text.ts";
import fc from "../properties.ts";

describe("GH-15: code that cannot be broken out of", () => {
  it("uses a longer delimiter than any run inside and pads where a backtick touches it", () => {
    expect(codeSpan("a")).toBe("`a`");
    expect(codeSpan("a`b")).toBe("``a`b``");
    expect(codeSpan("`")).toBe("`` ` ``");
    expect(codeSpan("")).toBe("` `");
    expect(codeSpan("a \n b")).toBe("`a b`");
    expect(codeSpan("a  b\tc")).toBe("`a  b c`");
  });

  it("replaces a pipe in a table", () => {
    expect(codeSpan("a | b", { table: true })).toBe("`a ¦ b`");
    expect(codeSpan("a b", { table: true })).toBe("`a b`");
  });

  it("closes a fence only at its own end, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("`", "~", "\n", " ", "a", "/", "\r", "\u2028") }),
        fc.string(),
        (text, language) => {
          const lines = fence(text, language).split("\n");
          const delimiter = /^`{3,}/.exec(lines[0]!)![0];
          const closing = lines.findIndex((line, index) => index > 0 && line.trim().startsWith(delimiter));
          expect(closing).toBe(lines.length - 1);
          expect(lines.at(-1)).toBe(delimiter);
          expect(hasCommandLine(lines.join("\n"))).toBe(false);
        },
      ),
    );
  });

  it("gives a code span one opening and one closing delimiter, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "a", " ", "\n", "|") }), fc.boolean(), (text, table) => {
        const span = codeSpan(text, { table });
        if (table) expect(span).not.toContain("|");
        const runs = [...span.matchAll(/`+/g)].map(([run]) => run.length);
        const width = runs[0]!;
        expect(runs.filter((run) => run === width)).toHaveLength(2);
        expect(runs.at(-1)).toBe(width);
      }),
    );
  });

  it("offers only what would be committed exactly as it is seen", () => {
    expect(isSuggestable("let x = 1;\r\n\ty();\n")).toBe(true);
    expect(isSuggestable("if (a\u202e) b")).toBe(false);
    expect(isSuggestable("x\n/forge approve")).toBe(false);
    expect(isSuggestable("// a comment\n/** another */")).toBe(true);
  });

  it("writes suggestions: lines, a blank line, and nothing at all", () => {
    expect(suggestionFence("a\nb\n")).toBe("```suggestion\na\nb\n```");
    expect(suggestionFence("a")).toBe("```suggestion\na\n```");
    expect(suggestionFence("\n")).toBe("```suggestion\n\n```");
    expect(suggestionFence("")).toBe("```suggestion\n```");
    expect(suggestionFence("```\n")).toBe("````suggestion\n```\n````");
  });
});
