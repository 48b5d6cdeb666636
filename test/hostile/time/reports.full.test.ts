import { describe, expect, it } from "vitest";
import { read, tryReports } from "./read-reports.ts";

function sarif(count: number, message: string): string {
  const results = Array.from({ length: count }, (_, at) => ({
    ruleId: "R1",
    level: at === count - 1 ? "error" : "warning",
    message: { text: message },
    locations: [
      { physicalLocation: { artifactLocation: { uri: at % 2 ? "a.ts" : "b.ts" }, region: { startLine: 1 } } },
    ],
  }));
  return JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "Sniff" } }, results }] });
}

describe("a report that holds up whoever reads it (REV-5, SEC-1)", () => {
  it("25,000 results: the most severe of the changed files are kept", async () => {
    const result = await read("sarif", sarif(25_000, "é".repeat(600)), ["a.ts"]);
    expect(result.problem).toBeUndefined();
    expect(result.observations).toHaveLength(2_000);
    expect(new Set(result.observations.map(({ file }) => file))).toEqual(new Set(["a.ts"]));
    expect(result.observations.some(({ severity }) => severity === "error")).toBe(true);
    expect(result.dropped).toEqual([{ reason: "above the limit", count: 10_500 }]);
  });

  it("one whose results are as long as can be is still answered", async () => {
    const result = await read("sarif", sarif(4_000, "\u20ac\\".repeat(2_000)), ["a.ts"]);
    expect(result.problem).toBeUndefined();
    expect(result.observations).toHaveLength(2_000);
  });

  tryReports([
    ["300 kB of empty objects", "sarif", `{"version":"2.1.0","runs":[${"{},".repeat(100_000)}{}]}`],
    ["2 MB of brackets", "eslint", "[".repeat(2_000_000)],
    ["2 MB of elements", "checkstyle", `<checkstyle>${"<a>".repeat(700_000)}`],
    ["500 kB of lines", "tsc", "a(1,1): error TS1: x\n".repeat(25_000)],
  ]);
});
