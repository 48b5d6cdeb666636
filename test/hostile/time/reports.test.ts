import { describe, expect, it } from "vitest";
import { LIMIT, read, tryReports } from "./read-reports.ts";

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
  it("25,000 results: the most severe of the changed files are kept, the event loop is never blocked for 200 ms", async () => {
    const { result, longestMs } = await read("sarif", sarif(25_000, "é".repeat(600)), ["a.ts"]);
    expect(result.problem).toBeUndefined();
    expect(result.observations).toHaveLength(2_000);
    expect(new Set(result.observations.map(({ file }) => file))).toEqual(new Set(["a.ts"]));
    expect(result.observations.some(({ severity }) => severity === "error")).toBe(true);
    expect(result.dropped).toEqual([{ reason: "above the limit", count: 10_500 }]);
    expect(longestMs).toBeLessThan(LIMIT);
  });

  it("one whose results are as long as can be is still answered", async () => {
    const { result } = await read("sarif", sarif(4_000, "\u20ac\\".repeat(2_000)), ["a.ts"]);
    expect(result.problem).toBeUndefined();
    expect(result.observations).toHaveLength(2_000);
  });

  tryReports([
    ["3 MB of empty objects", "sarif", `{"version":"2.1.0","runs":[${"{},".repeat(1_000_000)}{}]}`],
    ["20 MB of brackets", "eslint", "[".repeat(20_000_000)],
    ["20 MB of elements", "checkstyle", `<checkstyle>${"<a>".repeat(7_000_000)}`],
    ["5 MB of lines", "tsc", "a(1,1): error TS1: x\n".repeat(250_000)],
  ]);
});
