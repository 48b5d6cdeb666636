import { describe, expect, it } from "vitest";
import type { Dialect } from "../../../src/analysis/languages.ts";
import { cognitiveComplexity } from "../../../src/analysis/risk/cognitive-complexity.ts";

function measure(text: string, { dialect = "ts" as Dialect, added = allLines(text) } = {}) {
  return cognitiveComplexity({ text, dialect, addedLines: new Set(added) });
}

function allLines(text: string): number[] {
  return text.split("\n").map((_, at) => at + 1);
}

/** The whole complexity of the only function in `text`. */
function totalOf(text: string, dialect: Dialect = "ts"): number | undefined {
  const measured = measure(text, { dialect });
  expect(measured).toHaveLength(1);
  return measured?.[0]?.total;
}

describe("the cognitive complexity of a function", () => {
  it.each([
    ["straight code is free", "const a = 1; run(a?.b ?? 2); return a;", 0],
    ["if", "if (a) run();", 1],
    ["if and else", "if (a) run(); else stop();", 2],
    ["else if counts once, not by its depth", "if (a) run(); else if (b) walk(); else if (c) go(); else stop();", 4],
    ["also inside a loop", "for (;;) { if (a) run(); else if (b) walk(); else stop(); }", 5],
    ["nested if", "if (a) { if (b) { if (c) run(); } }", 6],
    ["what stands in an else if is as deep as what stands in the if", "if (a) {} else if (b) { if (c) run(); }", 4],
    ["an if inside else is nested and no else if", "if (a) run(); else { if (b) walk(); }", 4],
    ["conditional in a conditional", "return a ? (b ? 1 : 2) : 3;", 3],
    ["a condition is read at the depth of its if", "if (a ? b : c) run();", 2],
    ["switch counts once, whatever its cases", "switch (a) { case 1: return 1; case 2: return 2; default: }", 1],
    ["loops", "for (;;) {} for (const a in b) {} for (const a of b) {} while (a) {} do {} while (a);", 5],
    ["a loop in a loop with an if", "for (const a of b) { while (a) { if (c) run(); } }", 6],
    ["try is free, catch is not", "try { if (a) run(); } catch { if (b) walk(); } finally { stop(); }", 4],
    ["jumps to a label, not plain ones", "top: for (;;) { for (;;) { break top; } continue; }", 4],
    ["one run of an operator", "return a && b && c && d;", 1],
    ["each run of an operator", "return a && b || c && d;", 3],
    ["runs in the order they are written", "return a || b && c || d;", 3],
    ["parentheses do not break a run, negation does", "return (a && (b && c)) && !(d && e);", 2],
    ["a function inside is one deeper", "list.map((a) => { if (a) run(); });", 2],
    ["a class inside, too", "return class { get() { return a ? 1 : 2; } };", 2],
  ])("RISK-1: %s", (_, body, total) => {
    expect(totalOf(`function measured() { ${body} }`)).toBe(total);
  });

  it("RISK-1: counts the first call of a function to itself", () => {
    expect(totalOf("function walk(a) { walk(a.left); walk(a.right); }")).toBe(1);
    expect(totalOf("const walk = (a) => [walk(a.left)];")).toBe(1);
    expect(totalOf("class Tree { walk() { this.walk(); } }")).toBe(1);
    expect(totalOf("class Tree { walk() { walk(this); } }")).toBe(0);
  });

  it("RISK-1: reports outermost functions with name and place, those inside them counted in, and nothing else", () => {
    const text = [
      "if (a) run();",
      "export function first() {",
      "  return () => (a ? 1 : 2);",
      "}",
      "class Shop {",
      "  total = () => 0;",
      "  pay() { return a && b; }",
      "}",
      "run(function () { while (a) {} });",
    ].join("\n");
    expect(measure(text)).toEqual([
      { name: "first", line: 2, endLine: 4, total: 2, added: 2 },
      { name: "total", line: 6, endLine: 6, total: 0, added: 0 },
      { name: "pay", line: 7, endLine: 7, total: 1, added: 1 },
      { line: 9, endLine: 9, total: 1, added: 1 },
    ]);
  });

  it("RISK-1: counts as added what stands on added lines, in touched functions only", () => {
    const text = "function a() {\n  if (x) {\n    if (y) run();\n  }\n}\nfunction b() {\n  if (x) run();\n}\n";
    expect(measure(text, { added: [3] })).toEqual([{ name: "a", line: 1, endLine: 5, total: 3, added: 2 }]);
    expect(measure(text, { added: [5, 8] })).toMatchObject([
      { name: "a", added: 0 },
      { name: "b", added: 0 },
    ]);
    expect(measure(text, { added: [] })).toEqual([]);
  });

  it.each<[Dialect, string]>([
    ["js", "function a() { if (x) run(); }\nreturn 1;"],
    ["js", "function a(b: string) { if (b) run(); }"],
    ["jsx", "function A() { return a ? <b /> : <i />; }"],
    ["tsx", "function A(a: boolean) { return a ? <b /> : <i />; }"],
    ["cts", "function a() { if (<any>x) run(); }\nreturn 1;"],
  ])("RISK-1: reads %s: %s", (dialect, text) => {
    expect(totalOf(text, dialect)).toBe(1);
  });

  it("RISK-1: is unknown where the file does not parse or is no script", () => {
    expect(measure("function a( {")).toBeUndefined();
    expect(measure('{ "a": 1 }', { dialect: "json" })).toBeUndefined();
    expect(measure("a {}", { dialect: "css" })).toBeUndefined();
  });

  it("RISK-1: deep and long code does not exhaust it", () => {
    const chain = `function long() { return ${"a && ".repeat(4_000)}a; }`;
    expect(totalOf(chain)).toBe(1);
    const ladder = `function ladder() { ${"if (a) {} else ".repeat(400)}{} }`;
    expect(totalOf(ladder)).toBe(401);
  });
});
