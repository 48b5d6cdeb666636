import { describe, expect, it } from "vitest";
import { followLines } from "../../src/analysis/diff-texts.ts";
import { outcomeOf, suggestionOutcome } from "../../src/learning/outcome-of.ts";

const text = (...lines: readonly string[]) => `${lines.join("\n")}\n`;
const BEFORE = text("one", "two", "  return a === a && b < limit;", "four", "five");

describe("followLines", () => {
  const now = (after: string, from = 3, to = 3) => followLines(BEFORE, after, from, to);
  it.each<[string, string, readonly string[], readonly string[]]>([
    ["nothing changed", BEFORE, ["  return a === a && b < limit;"], ["  return a === a && b < limit;"]],
    ["lines above it", text("zero", ...BEFORE.trimEnd().split("\n")), ["  return a === a && b < limit;"], []],
    ["it was replaced by two", text("one", "two", "x", "y", "four", "five"), ["x", "y"], ["x", "y"]],
    ["it was deleted", text("one", "two", "four", "five"), [], []],
    [
      "a line put in before it",
      text("one", "two", "if (!b) return;", "  return a === a && b < limit;", "four", "five"),
      ["  return a === a && b < limit;"],
      ["if (!b) return;", "  return a === a && b < limit;"],
    ],
    ["it and its neighbours were replaced", text("one", "x", "five"), ["x"], ["x"]],
    ["everything was", text("x"), ["x"], ["x"]],
    ["everything was taken", "", [""], [""]],
  ])("%s", (_what, after, lines, around) => {
    expect(now(after)?.lines).toEqual(lines);
    if (around.length > 0) expect(now(after)?.around).toEqual(around);
  });

  it("follows the first line and the last", () => {
    expect(followLines("a\nb", "x\na\nb\ny", 1, 2)).toEqual({ lines: ["a", "b"], around: ["x", "a", "b", "y"] });
    expect(followLines("a\nb", "b", 1, 1)).toEqual({ lines: [], around: [] });
    expect(followLines("a", "b", 1, 2)).toBeUndefined();
  });

  it("says nothing where too much is different", () => {
    const many = (name: string) => Array.from({ length: 3_000 }, (_, at) => `${name} ${at}`).join("\n");
    expect(followLines(many("a"), many("b"), 1, 1)).toBeUndefined();
  });
});

describe("HUM-4: what became of a finding, by content", () => {
  const at = { line: 3, endLine: 3 };
  it.each<[string, string, "fixed" | "ignored"]>([
    ["as it was", BEFORE, "ignored"],
    ["indented otherwise", BEFORE.replace("  return", "\t\treturn"), "ignored"],
    ["moved to the end", text("one", "two", "four", "five", "  return a === a && b < limit;"), "ignored"],
    ["beside other changes", text("zero", "two", "  return a === a && b < limit;", "four", "six"), "ignored"],
    ["changed", BEFORE.replace("a === a", "a === b"), "fixed"],
    ["deleted", text("one", "two", "four", "five"), "fixed"],
  ])("%s", (_what, after, outcome) => {
    expect(outcomeOf(at, BEFORE, after)).toBe(outcome);
  });

  it("does not take a short line elsewhere for a moved one", () => {
    expect(outcomeOf({ line: 1, endLine: 1 }, "}\na\n", "a\n}\n}\n")).toBe("fixed");
  });
});

describe("HUM-4: what became of a suggestion, by content", () => {
  const edit = (after: string, before = "  return a === a && b < limit;") => {
    return { file: "a.ts", startLine: 3, endLine: 3, before, after };
  };
  const good = "  return a === b && b < limit;";
  const guard = `  if (!a) return false;\n${edit("").before}`;
  it.each<[string, ReturnType<typeof edit>, string, string | undefined]>([
    ["taken as it is", edit(good), BEFORE.replace("a === a", "a === b"), "applied"],
    ["taken, and formatted", edit(good), BEFORE.replace("  return a === a", "    return a === b"), "applied"],
    ["taken, with more beside it", edit(good), BEFORE.replace("  return a === a", "x\n  return a === b"), "applied"],
    ["left as it was", edit(good), `zero\n${BEFORE}`, "ignored"],
    ["a guard before the line, taken", edit(guard), BEFORE.replace(edit("").before, guard), "applied"],
    ["a guard before the line, left", edit(guard), BEFORE, "ignored"],
    ["a deletion, taken", edit(""), text("one", "two", "four", "five"), "applied"],
    ["a deletion, left", edit(""), BEFORE, "ignored"],
    ["something else in its place", edit(good), BEFORE.replace("a === a", "Object.is(a, b)"), "rewritten"],
    ["the line taken away instead", edit(good), text("one", "two", "four", "five"), "rewritten"],
  ])("%s", (_what, wanted, after, is) => {
    expect(suggestionOutcome(wanted, BEFORE, after)?.is).toBe(is);
  });

  it("is told from changes of the lines beside it", () => {
    const beside = BEFORE.replace("two\n  return a === a && b < limit;\n", "");
    expect(suggestionOutcome(edit(""), BEFORE, text("one", "2", "four", "five"))?.is).toBe("applied");
    expect(suggestionOutcome(edit(good), BEFORE, text("one", "2", good, "4", "five"))?.is).toBe("applied");
    expect(suggestionOutcome(edit(good), BEFORE, text("one", "2", "return true;", "4", "five"))?.is).toBe("rewritten");
    expect(suggestionOutcome(edit(good), BEFORE, text("one", "2", edit("").before, "4", "five"))?.is).toBe("ignored");
    const both = { file: "a.ts", startLine: 2, endLine: 3, before: `two\n${edit("").before}`, after: "two" };
    expect(suggestionOutcome(both, BEFORE, text("1", "two", "four", "five"))?.is).toBe("applied");
    expect(suggestionOutcome(both, BEFORE, beside)?.is).toBe("rewritten");
  });

  it("keeps what took its place", () => {
    expect(suggestionOutcome(edit(good), BEFORE, BEFORE.replace("a === a", "Object.is(a, b)"))).toEqual({
      is: "rewritten",
      taken: "  return Object.is(a, b) && b < limit;",
    });
  });

  it("does not take a part that was there before for the suggestion", () => {
    const old = { file: "a.ts", startLine: 1, endLine: 2, before: "one\ntwo", after: "one" };
    expect(suggestionOutcome(old, BEFORE, BEFORE)?.is).toBe("ignored");
    expect(suggestionOutcome(old, BEFORE, BEFORE.replace("two\n", ""))?.is).toBe("applied");
  });
});
