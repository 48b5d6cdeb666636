import { describe, expect, it } from "vitest";
import type { ReviewCoverage } from "../../../../src/domain/review-report.ts";
import { describeUnread, unreadByModels, withAiLayer } from "../../../../src/pipeline/review/ai/unread-by-models.ts";
import { reachVerdict } from "../../../../src/pipeline/review/verdict.ts";

const ran = (layer: "static" | "security" | "ai") => ({ layer, state: "ran" as const, tools: [] });
const coverage: ReviewCoverage = {
  ...{ headSha: "a", baseSha: "b", mergeBaseSha: "c", notes: [], uncovered: [] },
  ...{ files: 2, filesCovered: 2, addedLines: 30, addedLinesCovered: 30 },
  layers: [ran("static"), ran("security"), { ...ran("ai"), state: "not_needed" }],
};
const files = [
  { path: "a.ts", addedLines: 20 },
  { path: "b.ts", addedLines: 10 },
];

describe("GH-11a: what models were not shown", () => {
  it("is told by file and lines, is counted as not looked at, and no success follows", () => {
    const unread = [{ path: "a.ts", lines: [3, 4, 5, 9] }];
    const seen = withAiLayer(coverage, ran("ai"), unreadByModels({ unread, tooLarge: ["b.ts"] }), files);
    expect(seen).toMatchObject({ files: 2, filesCovered: 1, addedLinesCovered: 16 });
    expect(seen.uncovered).toEqual([
      { path: "a.ts", reason: "lines 3-5, 9 hidden from models", gap: true, lines: expect.anything() },
      { path: "b.ts", reason: "too large for a model", gap: true },
    ]);
    expect(reachVerdict([], coverage).conclusion).toBe("success");
    expect(reachVerdict([], seen).conclusion).toBe("action_required");
    expect(describeUnread(unread)).toBe("a.ts lines 3-5, 9");
  });

  it("is the layer alone where everything was shown", () => {
    const seen = withAiLayer(coverage, ran("ai"), [], files);
    expect(seen).toEqual({ ...coverage, layers: [ran("static"), ran("security"), ran("ai")] });
  });
});
