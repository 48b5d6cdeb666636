import { describe, expect, it } from "vitest";
import { markdown } from "../../simulator/pages/markdown.ts";

const shown = (text: string, breaks = true) => markdown(text, { breaks }).html;

describe("Markdown on the pages", () => {
  it("shows tables, lists and folds", () => {
    const text = "| a | b |\n|---|---|\n| 1 | `2` |\n\n<details><summary>more</summary>\n\n- one\n\n</details>";
    expect(shown(text)).toContain("<table><thead><tr><th>a</th><th>b</th></tr></thead>");
    expect(shown(text)).toContain("<td><code>2</code></td>");
    expect(shown(text)).toContain("<details><summary>more</summary>");
    expect(shown(text)).toContain("<li>one</li>");
  });

  it("takes a line break for one in comments only", () => {
    expect(shown("one\ntwo")).toContain("one<br>two");
    expect(shown("one\ntwo", false)).toContain("one\ntwo");
  });

  it("hides comments and shows any other HTML as text", () => {
    expect(shown("said<!-- forge:marker -->")).toBe('<div class="markdown"><p>said</p>\n</div>');
    expect(shown("<!-- alone\nover lines -->")).toBe('<div class="markdown"></div>');
    for (const text of [
      "<script>alert(1)</script>",
      "a <b onclick=x()>b</b>",
      '<details ontoggle="x()">',
      "<iframe src=/x>",
      "<!-- --><img src=x>",
      '<a href="javascript:x()">',
    ]) {
      expect(shown(text)).not.toMatch(/<(?:script|b |img|iframe|a |details )/);
    }
  });

  it("links to pages only, and loads no picture", () => {
    expect(shown("[a](https://example.com/?a=1&b=2)")).toContain('<a href="https://example.com/?a=1&amp;b=2"');
    expect(shown("[a](javascript:alert%281%29) [b](data:text/html,x)")).not.toContain("href");
    expect(shown("![alt](https://example.com/x.png)")).toContain("[image: alt]</a>");
    expect(shown("![alt](javascript:x)")).not.toContain("href");
  });

  it("shows a suggestion as the diff that it would make", () => {
    const text = "```suggestion\nnew <b>\n```\nafter";
    const { html } = markdown(text, { breaks: true, suggestionOver: ["old"] });
    expect(html).toMatch(/class="deleted".*>old<.*class="added".*>new &lt;b&gt;</);
  });
});
