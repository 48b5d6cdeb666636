import { describe, expect, it } from "vitest";
import { loadPrompt } from "../../../src/agents/prompts/load-prompt.ts";
import type { Claim } from "../../../src/agents/reviewer/claims.ts";
import { gradeClaim } from "../../../src/agents/reviewer/grade-claim.ts";
import { locateQuote } from "../../../src/agents/reviewer/locate-quote.ts";
import { vote } from "../../../src/agents/reviewer/vote.ts";
import { isBlocking, isUnproven, Observation } from "../../../src/domain/findings.ts";
import fc from "../../properties.ts";
import { claim } from "./sample-claim.ts";

const FILE = [
  "function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) {",
  "    sum += item.price;",
  "  }",
  "  return sum;",
  "}",
];

describe("where a quote stands", () => {
  it("REV-4: finds it on the named line, whatever its indentation", () => {
    expect(locateQuote(FILE, { line: 4, quote: "sum += item.price;" })).toEqual({ line: 4, endLine: 4 });
  });

  it("REV-4: corrects a line that was counted wrong", () => {
    expect(locateQuote(FILE, { line: 6, quote: "  for (const item of items) {\n    sum += item.price;" })).toEqual({
      line: 3,
      endLine: 4,
    });
  });

  it("REV-4: takes a quote with the line numbers it was shown with", () => {
    expect(
      locateQuote(FILE, { line: 2, quote: "    2 +|  let sum = 0;\n    3  |  for (const item of items) {" }),
    ).toEqual({
      line: 2,
      endLine: 3,
    });
  });

  it("REV-4: refuses code that does not stand there", () => {
    expect(locateQuote(FILE, { line: 4, quote: "sum += item.price * item.count;" })).toBeUndefined();
    expect(locateQuote(FILE, { line: 4, quote: "   \n  " })).toBeUndefined();
    expect(locateQuote(FILE, { line: 1, quote: "}" })).toBeUndefined();
  });

  it("REV-4: refuses a quote that stands in several places far from the named line", () => {
    const lines = [...Array.from({ length: 30 }, () => "close();"), ...FILE];
    expect(locateQuote(lines, { line: 200, quote: "close();" })).toBeUndefined();
    expect(locateQuote(lines, { line: 20, quote: "close();" })).toEqual({ line: 20, endLine: 20 });
  });

  it("REV-4: what it finds is there, for any file and quote", () => {
    const text = fc.array(fc.stringMatching(/^[a-c ]{0,6}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 20 }), (lines, quoted, line) => {
        const place = locateQuote(lines, { line, quote: quoted.join("\n") });
        if (place === undefined) return;
        const found = lines
          .slice(place.line - 1, place.endLine)
          .join("")
          .replace(/\s/g, "");
        expect(found).toContain(quoted.join("").replace(/\s/g, ""));
      }),
    );
  });
});

describe("the vote of several passes", () => {
  const placed = (fields: Partial<Claim>, line = 4) => ({ claim: claim(fields), place: { line, endLine: line } });

  it("REV-4: keeps what two of three passes saw, in its most confident wording", () => {
    const voted = vote(
      [
        [placed({ confidence: 0.6 })],
        [placed({ claim: "Counts are ignored.", confidence: 0.8 })],
        [placed({ kind: "performance" })],
      ],
      2,
    );
    expect(voted.map(({ claim: { claim: words }, votes }) => [words, votes])).toEqual([["Counts are ignored.", 2]]);
  });

  it("REV-4: counts a pass once, however often it says the same", () => {
    expect(vote([[placed({}), placed({})], [], []], 2)).toEqual([]);
  });

  it("REV-4: faults on other lines are other faults", () => {
    expect(vote([[placed({}, 4)], [placed({}, 40)], []], 2)).toEqual([]);
    expect(vote([[placed({}, 4)], [placed({}, 40)]], 1)).toHaveLength(2);
  });
});

describe("the grade of a claim", () => {
  const voted = { claim: claim({ severity: "critical", confidence: 1 }), place: { line: 4, endLine: 4 }, votes: 3 };
  const stands = { claim: 1, verdict: "stands", reason: "line 4" } as const;

  it("REV-4: severity is what happens: without an executed proof it stays, is told as unproven, and nothing blocks", () => {
    const observation = Observation.parse(gradeClaim({ claim: voted, judgement: stands }));
    expect(observation).toMatchObject({ severity: "critical", confidence: 0.69, rule: "ai/logic" });
    expect([isUnproven(observation), isBlocking(observation)]).toEqual([true, false]);
  });

  const unsure = { ...stands, verdict: "unsure" } as const;
  const demonstration = { path: "test/a.test.ts", content: "" };
  it.each([
    ["it was not verified", undefined, undefined],
    ["the verifier could not decide", unsure, undefined],
    ["the verifier gave no test that shows it", stands, undefined],
    ["mocha did not start", { ...stands, demonstration }, { unproven: "mocha did not start" }],
  ])("REV-4: says why it is unproven: %s", (unproven, judgement, proof) => {
    expect(gradeClaim({ claim: voted, judgement, proof })).toMatchObject({ unproven });
  });

  it("REV-4: a proof carries the severity, and its evidence", () => {
    const proof = { passesWith: "fix", evidence: "expected 6, got 3" } as const;
    const observation = Observation.parse(gradeClaim({ claim: voted, judgement: stands, proof }));
    expect(observation).toMatchObject({ severity: "critical", verified: "fix", evidence: "expected 6, got 3" });
    expect([isUnproven(observation), isBlocking(observation)]).toEqual([false, true]);
  });

  it("REV-4: takes the verifier's severity, and believes less where it could not decide", () => {
    const unsure = { claim: 1, verdict: "unsure", reason: "callers unknown", severity: "info" } as const;
    expect(gradeClaim({ claim: voted, judgement: unsure })).toMatchObject({ severity: "info", confidence: 0.5 });
  });
});

describe("the prompts", () => {
  it.each(["reviewer", "verifier"])("%s has a name and a version that changes with its words", (name) => {
    const prompt = loadPrompt(name);
    expect(prompt.version).toMatch(/^\d+\+[0-9a-f]{8}$/);
    expect(prompt.text.startsWith("---")).toBe(false);
  });
});
