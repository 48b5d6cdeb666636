import { describe, expect, it } from "vitest";
import type { Fingerprinted } from "../../src/analysis/fingerprint.ts";
import { joinFindings } from "../../src/analysis/synthesise.ts";
import type { Observation } from "../../src/domain/findings.ts";

const CONTEXT = { sources: new Map(), key: Buffer.from("key"), known: [] };

function observation(fields: Partial<Observation>): Observation {
  const place = { file: "a.ts", line: 4, endLine: 4 };
  const kind = { rule: "ai/logic", source: "ai", category: "correctness" } as const;
  return { ...place, ...kind, severity: "warning", message: "m", confidence: 0.6, ...fields };
}

const linted: Fingerprinted = {
  ...observation({ source: "static", rule: "biome/x", severity: "warning" }),
  fingerprint: "f".repeat(64),
};
const rules = async (ai: Observation[]) =>
  (await joinFindings([linted], ai, CONTEXT)).observations.map(({ rule }) => rule).sort();

describe("findings of a model beside those of analysers (REV-3)", () => {
  it("are left out where an analyser said as much at the same place", async () => {
    expect(await rules([observation({})])).toEqual(["biome/x"]);
  });

  it("stay where they say more: something else, elsewhere, something worse, or shown by a test", async () => {
    expect(await rules([observation({ category: "performance", rule: "ai/performance" })])).toHaveLength(2);
    expect(await rules([observation({ line: 5, endLine: 6 })])).toHaveLength(2);
    expect(await rules([observation({ severity: "error" })])).toHaveLength(2);
    expect(await rules([observation({ verified: "base" })])).toHaveLength(2);
  });

  it("of different kinds on the same lines are different findings", async () => {
    const twice = [observation({ line: 9, endLine: 9 }), observation({ line: 9, endLine: 9, rule: "ai/concurrency" })];
    expect(await rules(twice)).toEqual(["ai/concurrency", "ai/logic", "biome/x"]);
  });
});
