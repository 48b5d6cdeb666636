import { describe, expect, it } from "vitest";
import { addedLinesOnly, anchor } from "../../src/analysis/filter-observations.ts";
import { MOST_OBSERVATIONS, synthesise } from "../../src/analysis/synthesise.ts";
import type { Observation } from "../../src/domain/findings.ts";
import { sourceFile } from "./change-of.ts";

function observation(extra: Partial<Observation> = {}): Observation {
  return {
    source: "static",
    rule: "biome/a/b",
    severity: "warning",
    category: "correctness",
    file: "a.ts",
    line: 1,
    endLine: 1,
    message: "m",
    confidence: 0.8,
    ...extra,
  };
}

describe("synthesise", () => {
  it("REV-3: merges two reports of one secret and keeps the surer one", () => {
    const sure = observation({
      rule: "secrets/a",
      severity: "critical",
      column: 5,
      endColumn: 30,
      secret: true,
      confidence: 0.9,
    });
    const unsure = observation({
      rule: "secrets/b",
      severity: "critical",
      column: 8,
      endColumn: 30,
      secret: true,
      confidence: 0.8,
    });
    expect(synthesise([unsure, sure]).kept).toEqual([sure]);
  });

  it("keeps two findings beside each other on one line, and those of different tools about different causes", () => {
    const left = observation({ column: 1, endColumn: 5 });
    const right = observation({ column: 5, endColumn: 9 });
    const secret = observation({ rule: "secrets/a", column: 2, endColumn: 30 });
    expect(synthesise([left, right, secret]).kept).toHaveLength(3);
  });

  it("REV-3: orders by severity and confidence, whatever order they came in", () => {
    const some = (["info", "critical", "warning", "error"] as const).map((severity, index) =>
      observation({ severity, line: index + 1, endLine: index + 1 }),
    );
    const order = ["critical", "error", "warning", "info"];
    expect(synthesise(some).kept.map(({ severity }) => severity)).toEqual(order);
    expect(synthesise(some.toReversed()).kept.map(({ severity }) => severity)).toEqual(order);
  });

  it("SEC-6: quotes nothing from a line that holds a secret", () => {
    const fix = { file: "a.ts", startLine: 2, endLine: 3, before: "x", after: "y" };
    const secret = observation({ rule: "secrets/a", line: 2, endLine: 2, column: 9, endColumn: 20, evidence: "abcd…" });
    const { kept } = synthesise([
      secret,
      observation({ line: 3, endLine: 3, fix }),
      observation({ line: 4, endLine: 4, evidence: "kept" }),
    ]);
    expect(kept.find(({ line }) => line === 3)?.fix).toBeUndefined();
    expect(kept.find(({ line }) => line === 2)?.evidence).toBe("abcd…");
    expect(kept.find(({ line }) => line === 4)?.evidence).toBe("kept");
  });

  it("keeps a thousand and counts the rest", () => {
    const many = Array.from({ length: MOST_OBSERVATIONS + 7 }, (_, index) =>
      observation({ file: `${index % 20}.ts`, line: index + 1, endLine: index + 1 }),
    );
    expect(synthesise(many).left).toHaveLength(7);
    expect(synthesise(many).kept).toHaveLength(MOST_OBSERVATIONS);
  });

  it("one file that breaks one rule everywhere pushes nothing else out", () => {
    const flood = Array.from({ length: 3_000 }, (_, index) =>
      observation({ severity: "error", line: index + 1, endLine: index + 1 }),
    );
    const { kept, left } = synthesise([...flood, observation({ file: "b.ts" })]);
    expect(kept).toHaveLength(101);
    expect(kept.at(-1)?.file).toBe("b.ts");
    expect(left).toHaveLength(2_900);
  });
});

describe("places of findings", () => {
  const base = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join("");
  const file = sourceFile("a.ts", base.replace("line 10\n", "new 10\nnew 11\n"), base);
  const byPath = new Map([["a.ts", file]]);

  it("REV-3: drops what stands on lines that the change did not add", () => {
    const on = observation({ line: 10, endLine: 10 });
    expect(
      addedLinesOnly([on, observation({ line: 9, endLine: 9 }), observation({ file: "other.ts" })], byPath),
    ).toEqual([on]);
  });

  it("GH-10: cuts a range to the hunk in which a comment can stand", () => {
    expect(anchor(observation({ line: 1, endLine: 30, column: 1, endColumn: 2 }), file)).toEqual(
      observation({ line: 10, endLine: 14 }),
    );
    const inside = observation({ line: 8, endLine: 12 });
    expect(anchor(inside, file)).toBe(inside);
  });
});
