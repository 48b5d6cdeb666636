import { expect, it } from "vitest";
import { reviewAsJson } from "../../src/cli/review-json.ts";
import type { FolderReview } from "../../src/pipeline/review/folder/review-folder.ts";

const fix = { file: "a.ts", startLine: 2, endLine: 2, before: "a == b", after: "a === b" };
const finding: FolderReview["findings"][number] = {
  ...{
    id: "F-7K2Q",
    fingerprint: "ab",
    source: "static",
    rule: "biome/suspicious/noDoubleEquals",
    severity: "error",
    category: "correctness",
  },
  ...{ file: "a.ts", line: 2, column: 3, endLine: 2, endColumn: 9, confidence: 0.9 },
  ...{ message: "It is so.", why: "It matters.", fix },
};
const none = "0".repeat(40);

it("CLI-2: JSON is one object with the verdict, the gaps, the cost, and why and fix of each finding", () => {
  const review: FolderReview = {
    findings: [finding],
    beyondLimit: 2,
    frames: {},
    verdict: {
      ...{ decision: "request_changes", conclusion: "failure", outcome: "changes_requested", blocking: 3 },
      open: { info: 0, warning: 0, error: 3, critical: 0 },
    },
    coverage: {
      ...{ headSha: none, baseSha: none, mergeBaseSha: none, files: 3, filesCovered: 1 },
      ...{ addedLines: 9, addedLinesCovered: 4 },
      uncovered: [
        { path: "big.ts", reason: "too large", gap: true },
        { path: "cat.png", reason: "a picture", gap: false },
      ],
      searchedOnly: [{ path: "main.go", reason: "Go" }],
      layers: [
        { layer: "static", state: "ran", tools: [] },
        { layer: "ai", state: "failed", reason: "no answer", tools: [] },
      ],
      notes: ["A note."],
    },
    base: "abc",
    risk: { score: 51 } as FolderReview["risk"] & object,
  };
  expect(reviewAsJson(review)).toEqual({
    verdict: "changes_requested",
    counts: { info: 0, warning: 0, error: 3, critical: 0, blocking: 3, left_out: 2 },
    looked_at: { files: 1, of_files: 3, added_lines: 4, of_added_lines: 9, base: "abc" },
    not_looked_at: [
      { layer: "ai", reason: "no answer", incomplete: true },
      { path: "big.ts", reason: "too large", incomplete: true },
      { path: "cat.png", reason: "a picture", incomplete: false },
      { path: "main.go", reason: "Go", incomplete: false },
    ],
    risk: { score: 51 },
    cost: { usd: 0, tokens: 0, calls: 0, models: [] },
    notes: ["A note."],
    findings: [
      {
        ...{ file: "a.ts", line: 2, column: 3, endLine: 2, endColumn: 9, severity: "error" },
        ...{ title: "Loose equality (== or !=)", cwe: 597, url: "https://biomejs.dev/linter/rules/no-double-equals/" },
        ...{ rule: "biome/suspicious/noDoubleEquals", remedy: "Use `===` or `!==`." },
        ...{ category: "correctness", confidence: 0.9, message: "It is so.", why: "It matters.", fix },
        ...{ source: "static", id: "F-7K2Q" },
      },
    ],
  });
});
