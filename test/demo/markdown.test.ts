import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createPaint } from "../../demo/inline.ts";
import { renderMarkdown } from "../../demo/markdown.ts";

const page = (width: number) => ({ width, paint: createPaint(false) });

describe("Markdown on a terminal", () => {
  it("shows a summary with its table aligned", () => {
    const summary = [
      "**Changes requested: 2 blocking findings are open.** Fix and push.",
      "",
      "| severity | finding | where | why |",
      "|---|---|---|---|",
      "| critical | `F-7K2Q` AWS key added | `src/config.ts:14` | whoever can read it can use it |",
      "| error | `F-9M4D` `a \\| b` &#124; 1 &lt; 2 | `src/run.ts:31` | it \\*throws\\* |",
    ].join("\n");
    expect(renderMarkdown(summary, page(100))).toEqual([
      "Changes requested: 2 blocking findings are open. Fix and push.",
      "",
      "severity  finding               where             why",
      "critical  F-7K2Q AWS key added  src/config.ts:14  whoever can read it can use it",
      "error     F-9M4D a | b | 1 < 2  src/run.ts:31     it *throws*",
    ]);
  });

  it("wraps the widest cells when a table is too wide, and keeps names whole", () => {
    const rows = [
      "| severity | where | why |",
      "|---|---|---|",
      `| error | \`src/a/long/name.ts:31\` | ${"word ".repeat(12)} |`,
    ];
    const lines = renderMarkdown(rows.join("\n"), page(60));
    expect(lines.length).toBeGreaterThan(2);
    expect(lines[1]).toContain("src/a/long/name.ts:31");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it("shows a suggestion as the change it makes, and no markers", () => {
    const body = "It is left.\n\n```suggestion\n  go();\n```\n\nrule `a`\n<!-- forge:finding:1 -->";
    expect(renderMarkdown(body, page(80), ["  debugger;", "  go();"])).toEqual([
      "It is left.",
      "",
      "-   debugger;",
      "-   go();",
      "+   go();",
      "",
      "rule a",
    ]);
    const removal = "```suggestion\n```";
    expect(renderMarkdown(removal, page(80), ["  debugger;"])).toEqual([
      "-   debugger;",
      "  (suggested: without this line)",
    ]);
  });

  it("leaves folded what is folded, and says that it is there", () => {
    const text = "Risk 46.\n\n<details><summary>what the `risk` rests on</summary>\n\n- size 14\n\n</details>\n\nEnd";
    expect(renderMarkdown(text, page(80))).toEqual(["Risk 46.", "", "▸ what the risk rests on", "", "End"]);
  });

  it("colours what it prints only where colours are wanted", () => {
    const coloured = renderMarkdown("**Bold** and `code`", { width: 80, paint: createPaint(true) });
    expect(coloured[0]).toContain("\u001b[1mBold");
    expect(coloured.map(stripVTControlCharacters)).toEqual(["Bold and code"]);
    const table = "| finding | why |\n|---|---|\n| `F-1` error, new | it is an error |";
    const row = renderMarkdown(table, { width: 80, paint: createPaint(true) })[1] ?? "";
    expect(row).toContain("\u001b[31merror,\u001b[39m");
    expect(row.split("\u001b[31m")).toHaveLength(2);
  });
});
